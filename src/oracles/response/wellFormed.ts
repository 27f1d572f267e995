import type { z } from 'zod'
import { membersOf } from '../../spec/json.ts'
import type { Alternative, Hop, Route } from '../../spec/wire.ts'
import type { Verdict } from '../verdict.ts'

/** A route without its malformed fields, and with its entries without theirs: checks that depend on them are skipped. */
export type WellFormedRoute = Readonly<Partial<Omit<Route, 'hops' | 'alternatives'>>> & {
  readonly hops?: readonly Readonly<Partial<Hop>>[]
  readonly alternatives?: readonly Readonly<Partial<Alternative>>[]
}

/** A value in which these fields are present. */
type Having<Value, Field extends keyof Value> = Value & Required<Pick<Value, Field>>

/** Returns the fields of an object that a schema accepts; none if the value is not an object. */
export function wellFormedFields<Shape extends z.ZodRawShape>(
  { shape }: z.ZodObject<Shape>,
  value: unknown,
): Readonly<Partial<z.output<z.ZodObject<Shape>>>> {
  const body = membersOf(value)
  const fields = Object.keys(shape).flatMap((field) => {
    const parsed = (shape[field] as z.ZodType).safeParse(body[field])
    return parsed.success ? [[field, parsed.data]] : []
  })
  return Object.fromEntries(fields)
}

/** Returns the verdicts on these fields; none if one of them is malformed. */
export function judgedBy<Value extends object, Field extends keyof Value>(
  value: Value,
  fields: readonly Field[],
  judgeThem: (value: Having<Value, Field>) => Verdict | readonly Verdict[],
): readonly Verdict[] {
  return has(value, fields) ? [judgeThem(value)].flat() : []
}

/** Returns the verdicts on these fields of all entries of a list; none if one of them is malformed. */
export function judgedByEach<Entry extends object, Field extends keyof Entry>(
  entries: readonly Entry[],
  fields: readonly Field[],
  judgeThem: (entries: readonly Having<Entry, Field>[]) => Verdict | readonly Verdict[],
): readonly Verdict[] {
  const whole = entries.filter((entry) => has(entry, fields))
  return whole.length === entries.length ? [judgeThem(whole)].flat() : []
}

function has<Value extends object, Field extends keyof Value>(
  value: Value,
  fields: readonly Field[],
): value is Having<Value, Field> {
  return fields.every((field) => value[field] !== undefined)
}
