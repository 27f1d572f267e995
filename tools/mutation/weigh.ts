import type { Argument, Selector } from './arguments/argument.ts'
import { type Entry, NO_START } from './journal.ts'

/** A mutant that no check killed, with its place below src/service. */
export interface Survivor {
  readonly file: string
  readonly line: number
  readonly entry: Entry
}

export interface FolderRow {
  readonly folder: string
  readonly mutants: number
  readonly killed: number
  readonly survived: number
  readonly uncovered: number
  readonly timedOut: number
  readonly mute: number
  readonly notStarted: number
  readonly ignored: number
}

export interface Weighed {
  readonly rows: readonly FolderRow[]
  readonly argued: readonly { readonly argument: Argument; readonly survivors: readonly Survivor[] }[]
  /** Neither killed nor argued. */
  readonly open: readonly Survivor[]
  /** Selectors that no survivor answers to: killed since, or misspelt. */
  readonly idle: readonly Selector[]
  readonly killed: number
  /**
   * Mutants that change behaviour: all that were put to checks, or should have been, less those argued to be the same, and
   * those that are no service at all.
   */
  readonly counted: number
  /** Mutants with which the service does not start. */
  readonly notStarted: number
  /** The journal's own size, what is left out included. */
  readonly mutants: number
  readonly statics: number
}

const SERVICE = 'src/service/'

/** The survivors of a journal that are argued to break no promise. */
export function arguedSame(
  journal: readonly Entry[],
  args: readonly Argument[],
  lineOf: (file: string, line: number) => string,
): ReadonlySet<Entry> {
  const { argued } = weigh(journal, args, lineOf)
  const same = argued.filter(({ argument }) => argument.kind === 'same')
  return new Set(same.flatMap(({ survivors }) => survivors.map(({ entry }) => entry)))
}

/** @param lineOf the text of a line of a file below src/service. */
export function weigh(
  journal: readonly Entry[],
  args: readonly Argument[],
  lineOf: (file: string, line: number) => string,
): Weighed {
  const alive = journal
    .filter((entry) => entry.status !== 'Killed' && entry.status !== 'Ignored' && !isNoService(entry))
    .map((entry) => ({ file: entry.file.replace(SERVICE, ''), line: entry.location.start.line, entry }))
  const answers = ({ file, line, entry }: Survivor, selector: Selector) =>
    selector.file === file &&
    lineOf(file, line).includes(selector.line) &&
    (selector.original ?? entry.original) === entry.original &&
    (selector.replacement ?? entry.replacement) === entry.replacement
  const left = new Set<Survivor>(alive)
  const idle: Selector[] = []
  const argued = args.map((argument) => {
    const survivors = argument.mutants.flatMap((selector) => {
      const found = [...left].filter(
        (survivor) =>
          // What hangs is not the same, whatever else is said of its line.
          answers(survivor, selector) && !(argument.kind === 'same' && survivor.entry.status === 'Timeout'),
      )
      if (found.length === 0) idle.push(selector)
      for (const survivor of found) left.delete(survivor)
      return found
    })
    return { argument, survivors }
  })
  const same = argued
    .filter(({ argument }) => argument.kind === 'same')
    .reduce((sum, { survivors }) => sum + survivors.length, 0)
  const killed = journal.filter(({ status }) => status === 'Killed').length
  return {
    rows: rowsOf(journal),
    argued: argued.filter(({ survivors }) => survivors.length > 0),
    open: [...left],
    idle,
    killed,
    counted: killed + alive.length - same,
    notStarted: journal.filter(isNoService).length,
    mutants: journal.length,
    statics: journal.filter(({ isStatic }) => isStatic).length,
  }
}

function isNoService({ status, reason }: Entry): boolean {
  return status === 'RuntimeError' && reason.startsWith(NO_START)
}

function rowsOf(journal: readonly Entry[]): readonly FolderRow[] {
  const folders = new Map<string, Entry[]>()
  for (const entry of journal) {
    const path = entry.file.replace(SERVICE, '').split('/')
    const folder = path.length > 1 ? `${path[0]}` : '.'
    folders.set(folder, [...(folders.get(folder) ?? []), entry])
  }
  return [...folders]
    .map(([folder, entries]): FolderRow => {
      const count = (status: Entry['status']) => entries.filter((entry) => entry.status === status).length
      return {
        folder,
        mutants: entries.length,
        killed: count('Killed'),
        survived: count('Survived'),
        uncovered: count('NoCoverage'),
        timedOut: count('Timeout'),
        mute: count('RuntimeError') - entries.filter(isNoService).length,
        notStarted: entries.filter(isNoService).length,
        ignored: count('Ignored'),
      }
    })
    .sort((a, b) => (a.folder < b.folder ? -1 : 1))
}
