import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { inheritedVariables } from './inheritedVariables.ts'

/** Variables that a shell sets by itself. */
const OF_SHELLS = new Set(['PWD', 'OLDPWD', 'SHLVL', '_'])
/** In `/proc/PID/stat`, counted behind the name of the program, which may have spaces and brackets in it. */
const STAT = { parent: 1, startedTicks: 19 } as const

/** A process that has no parent of its own any more. */
export interface Orphan {
  readonly pid: number
  readonly command: string
  /** True if it holds what only programs of the target can have: its output, or its private folder. */
  readonly isOurs: boolean
}

/** What shows that a process is of one target. */
export interface Held {
  /** In its environment: `NAME=value`. */
  readonly variable: string
  /** Only programs of the target have these open. */
  readonly outputs: ReadonlySet<string>
  /** The same for a folder with all that it holds. */
  readonly folder: string
}

/** Returns what the output of a process is, as the system names it; empty where that is unknown. */
export function outputsOf(pid: number | undefined): readonly string[] {
  if (process.platform !== 'linux' || pid === undefined) return []
  return [1, 2].flatMap((number) => linkOf(`/proc/${pid}/fd/${number}`) ?? [])
}

/**
 * Returns the orphans that are not among what ran `before` and may have been left by a program that we started, although they have
 * neither its group nor its environment: processes of this user, that the system has adopted, without any variable of ours that no
 * program of a target gets. Whatever else the user starts has those. Linux alone shows all of this.
 *
 * @param held what only programs of the target have.
 * @param others the same of other targets that run meanwhile. What is marked like a target is of one of these, or of another run: each
 *   ends its own.
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
      // One that has ended and that nobody has asked about has no command.
      return command === '' ? [] : [{ pid, command, isOurs }]
    } catch {
      // It has ended, or may not be looked at.
      return []
    }
  })
}

/** How a file is open, in `/proc/PID/fdinfo`: 0 in these bits is for reading alone. */
const ACCESS = 0o3

/** Returns whether a process has a file open to write it. */
export function hasOpenToWrite(pid: number, path: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((number) => {
      if (linkOf(`/proc/${pid}/fd/${number}`) !== path) return false
      const [, flags = '0'] =
        /^flags:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${number}`, 'latin1')) ?? []
      return (Number.parseInt(flags, 8) & ACCESS) !== 0
    })
  } catch {
    // It has ended, or may not be looked at.
    return false
  }
}

/** Returns what runs now. */
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

/** An id may be given to another process. */
const nameOf = (pid: number, startedTicks: number) => `${pid} ${startedTicks}`

function processIds(): readonly number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger)
}

function statOf(pid: number): { readonly parent: number; readonly startedTicks: number } {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { parent: Number(fields[STAT.parent]), startedTicks: Number(fields[STAT.startedTicks]) }
}

/** Returns the first process of the system, and the ancestor of ours that it started: a session of systemd or of a container takes its place. */
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
