import { type Argument, argumentKeys } from './arguments.ts'
import { type Entry, NO_START } from './journal.ts'

/** Counts of the mutants of one folder, those that were ignored left out. */
export interface Row {
  readonly folder: string
  readonly mutants: number
  readonly killed: number
  /** The service does not start, so that there is nothing to judge. */
  readonly notStarted: number
  /** Argued to break no promise of the specification. */
  readonly equivalent: number
  readonly survived: number
}

export interface Figures {
  readonly rows: readonly Row[]
  readonly total: Row
  /** Survivors that the suites miss, by reason. */
  readonly missed: readonly { readonly why: string; readonly survivors: readonly Entry[] }[]
  /** Survivors that no argument names. */
  readonly unexplained: readonly Entry[]
  /** Keys of arguments that no survivor has: killed since, or changed. */
  readonly stale: readonly string[]
}

/** Counts a journal, and finds the argument of each survivor. */
export function figuresOf(journal: readonly Entry[], args: readonly Argument[]): Figures {
  const argumentOf = new Map(args.flatMap((argument) => argument.mutants.map((key) => [key, argument])))
  const used = new Set<string>()
  const survivors = new Map<Argument | null, Entry[]>()
  const rows = new Map<string, Row>()
  for (const entry of journal.filter(({ status }) => status !== 'Ignored')) {
    const outcome = outcomeOf(entry)
    let counted: keyof Row = outcome
    if (outcome === 'survived') {
      const key = keyFor(entry, argumentOf)
      if (key !== null) used.add(key)
      const argument = key === null ? null : (argumentOf.get(key) ?? null)
      if (argument?.kind === 'equivalent') counted = 'equivalent'
      else survivors.set(argument, [...(survivors.get(argument) ?? []), entry])
    }
    const folder = /^src\/service\/(\w+)\//.exec(entry.file)?.[1] ?? '.'
    const row = rows.get(folder) ?? emptyRow(folder)
    rows.set(folder, { ...row, mutants: row.mutants + 1, [counted]: row[counted] + 1 })
  }
  const sorted = [...rows.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1))
  const files = new Set(journal.map(({ file }) => file.replace('src/service/', '')))
  return {
    rows: sorted,
    total: sorted.reduce(sum, emptyRow('all')),
    missed: args.flatMap((argument) => {
      const found = survivors.get(argument)
      return found ? [{ why: argument.why, survivors: found }] : []
    }),
    unexplained: survivors.get(null) ?? [],
    stale: [...argumentOf.keys()].filter((key) => !used.has(key) && files.has(key.split(/[ :]/)[0] ?? '')),
  }
}

/** Whether an argument says that no case could kill it, so that it need not run again. */
export function isArguedEquivalent(entry: Entry, args: readonly Argument[]): boolean {
  return figuresOf([entry], args).total.equivalent === 1
}

function outcomeOf({ status, reason }: Entry): 'killed' | 'notStarted' | 'survived' {
  if (status === 'Killed') return 'killed'
  return status === 'RuntimeError' && reason.startsWith(NO_START) ? 'notStarted' : 'survived'
}

/** A mutant that hangs is not equivalent, whatever an argument says of its declaration. */
function keyFor(entry: Entry, argumentOf: ReadonlyMap<string, Argument>): string | null {
  const applies = (key: string) => {
    const kind = argumentOf.get(key)?.kind
    return kind === 'missed' || (kind === 'equivalent' && entry.status !== 'Timeout')
  }
  return argumentKeys(entry).find(applies) ?? null
}

function emptyRow(folder: string): Row {
  return { folder, mutants: 0, killed: 0, notStarted: 0, equivalent: 0, survived: 0 }
}

function sum(a: Row, b: Row): Row {
  return {
    folder: a.folder,
    mutants: a.mutants + b.mutants,
    killed: a.killed + b.killed,
    notStarted: a.notStarted + b.notStarted,
    equivalent: a.equivalent + b.equivalent,
    survived: a.survived + b.survived,
  }
}
