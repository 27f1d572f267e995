import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { Tables } from './schema.ts'

/** A placeholder in a compiled statement for the input field with this name. */
class Mark {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * Returns a statement that is compiled once per database and then executed with different values: compiling takes longer than
 * SQLite needs to execute it.
 *
 * @param build gets an input with placeholders for values: it may pass them on, but not inspect them. Every input must have the
 * same fields.
 */
export function statement<Input extends object, Row>(
  build: (db: Kysely<Tables>, input: Input) => Compilable<Row>,
): (db: Kysely<Tables>, input: Input) => Promise<QueryResult<Row>> {
  const built = new WeakMap<Kysely<Tables>, CompiledQuery<Row>>()
  return (db, input) => {
    const known = built.get(db) ?? build(db, marksFor(input)).compile()
    built.set(db, known)
    const parameters = known.parameters.map((value) =>
      value instanceof Mark ? Reflect.get(input, value.name) : value,
    )
    return db.executeQuery({ ...known, parameters })
  }
}

function marksFor<Input extends object>(input: Input): Input {
  return Object.fromEntries(Object.keys(input).map((name) => [name, new Mark(name)])) as unknown as Input
}
