import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { inheritedVariables } from './inheritedVariables.ts'

/** Variables that a shell sets by itself. */
const OF_SHELLS = new Set(['PWD', 'OLDPWD', 'SHLVL', '_'])
/** Fields in `/proc/PID/stat`, counted after the name of the program, which may contain spaces and brackets. */
const STAT = { parent: 1, startedTicks: 19 } as const

/** A process whose parent has ended. */
export interface Orphan {
  readonly pid: number
  readonly command: string
  /** True if it has something open that only programs of the target can have: an output, or the private folder. */
  readonly isOurs: boolean
}

/** Marks of the processes of one target. */
export interface Held {
  /** Variable in their environment: `NAME=value`. */
  readonly variable: string
  /** Outputs that only programs of the target have open. */
  readonly outputs: ReadonlySet<string>
  /** Folder that only programs of the target have open, with everything in it. */
  readonly folder: string
}

/** Returns the system's names of the outputs of a process; empty if they are unknown. */
export function outputsOf(pid: number | undefined): readonly string[] {
  if (process.platform !== 'linux' || pid === undefined) return []
  return [1, 2].flatMap((number) => linkOf(`/proc/${pid}/fd/${number}`) ?? [])
}

/**
 * Returns the orphans that did not run `before` and that a program of the target may have left, although they have neither its
 * process group nor its environment. They are processes of this user, adopted by the system, without any variable of ours that is
 * withheld from targets, since other programs of the user would have those. Empty except on Linux, which alone shows all of this.
 *
 * @param held the marks of the target.
 * @param others the marks of other targets that run now. A process with their marks, or with those of another run, is left out:
 *   each target ends its own.
 */
export function orphansSince(
  before: ReadonlySet<string>,
  held: Held,
  others: readonly Held[],
): readonly Orphan[] {
  if (process.platform !== 'linux') return []
  const adopters = possibleAdopters()
  const foreign = foreignVariables()
  const marks = new Set([held, ...others].map(({ variable }) => nameOfVariable(variable)))
  return processIds().flatMap((pid) => {
    try {
      const { parent, startedTicks } = statOf(pid)
      if (before.has(nameOf(pid, startedTicks)) || !adopters.has(parent)) return []
      if (statSync(`/proc/${pid}`).uid !== process.getuid?.()) return []
      const variables = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').map(nameOfVariable)
      if (variables.some((name) => foreign.has(name))) return []
      const links = linksOf(pid)
      const isOurs = links.some((link) => isHeld(link, held))
      const isMarked = variables.some((name) => marks.has(name))
      if (!isOurs && (isMarked || others.some((other) => links.some((link) => isHeld(link, other)))))
        return []
      const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim()
      // A zombie has no command.
      return command === '' ? [] : [{ pid, command, isOurs }]
    } catch {
      // It has ended, or may not be read.
      return []
    }
  })
}

/** Bits of the flags in `/proc/PID/fdinfo` that are 0 if a file is open for reading only. */
const ACCESS = 0o3

/** Returns whether a process has a file open for writing. */
export function hasOpenToWrite(pid: number, path: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((number) => {
      if (linkOf(`/proc/${pid}/fd/${number}`) !== path) return false
      const [, flags = '0'] =
        /^flags:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${number}`, 'latin1')) ?? []
      return (Number.parseInt(flags, 8) & ACCESS) !== 0
    })
  } catch {
    // It has ended, or may not be read.
    return false
  }
}

/** Returns names of the running processes: ids with start times. */
export function runningProcesses(): ReadonlySet<string> {
  if (process.platform !== 'linux') return new Set()
  return new Set(
    processIds().flatMap((pid) => {
      try {
        return nameOf(pid, statOf(pid).startedTicks)
      } catch {
        // It has ended.
        return []
      }
    }),
  )
}

const nameOfVariable = (variable: string) => variable.split('=', 1)[0] ?? ''

/** Names a process with its start time, because an id may be reused. */
const nameOf = (pid: number, startedTicks: number) => `${pid} ${startedTicks}`

function processIds(): readonly number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger)
}

function statOf(pid: number): { readonly parent: number; readonly startedTicks: number } {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { parent: Number(fields[STAT.parent]), startedTicks: Number(fields[STAT.startedTicks]) }
}

/** Returns the first process of the system and our ancestor that it started, which may adopt orphans as a session manager. */
function possibleAdopters(): ReadonlySet<number> {
  let first = process.ppid
  for (let parent = first; parent > 1; parent = statOf(parent).parent) first = parent
  return new Set([1, first])
}

function foreignVariables(): ReadonlySet<string> {
  const inherited = inheritedVariables()
  return new Set(Object.keys(process.env).filter((name) => !(name in inherited) && !OF_SHELLS.has(name)))
}

function linksOf(pid: number): readonly string[] {
  const open = readdirSync(`/proc/${pid}/fd`).map((number) => `fd/${number}`)
  return ['cwd', ...open].flatMap((each) => linkOf(`/proc/${pid}/${each}`) ?? [])
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}

function isHeld(link: string, { outputs, folder }: Held): boolean {
  return outputs.has(link) || link === folder || link.startsWith(`${folder}/`)
}
