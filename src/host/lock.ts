import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { temporary } from './temporary.ts'

/** Taken by whoever moves several files into a folder, for as long as that takes. */
const LOCK = '.plumbline-lock'
/** In the folder that is the lock: a folder with content is moved to a free name alone, on every file system. */
const HOLDER = 'holder.json'
/** Moving takes milliseconds: a lock of this age was left behind by a machine that stopped. */
const ABANDONED_AFTER_MS = 60_000
const WAIT_MAX_MS = 10_000
const SAID_AFTER_MS = 500
const LOOK_EVERY_MS = 5
/** To look whose a lock is takes a process this long at most. */
const PUT_BACK_MAX_MS = 1_000
/** More than a lock of ours has. */
const LOCK_BYTES_MAX = 1_024

/** The name is one of a folder that is not empty, or of a file; the last is what Windows says. */
const TAKEN = new Set(['EEXIST', 'ENOTEMPTY', 'ENOTDIR', 'EPERM'])

/** The process that a lock names. */
interface Holder {
  readonly pid: number
  readonly host: string
}

/**
 * Does something to a folder that nobody who takes the same lock does meanwhile, as soon as nobody does. A lock that was left behind, or is
 * none of ours, is nobody's.
 *
 * @param aside a folder of the same file system for the time until then.
 * @param onWait called once where another process takes long, with what is waited for.
 * @throws another process has it for longer than ten seconds, or what has its name does not go away.
 */
export async function withLock(
  directory: string,
  aside: string,
  work: () => void,
  onWait: (text: string) => void = () => {},
): Promise<void> {
  const lock = resolve(directory, LOCK)
  const own = join(aside, LOCK)
  mkdirSync(own)
  writeFileSync(join(own, HOLDER), JSON.stringify({ pid: process.pid, host: hostname() } satisfies Holder))
  const sinceMs = performance.now()
  let isSaid = false
  while (!isMoved(own, lock)) {
    const found = lookAt(lock)
    // What another user owns may stay there, or somebody makes it again and again.
    if (found === 'abandoned') discard(lock, join(aside, 'discarded'))
    const held =
      typeof found === 'string'
        ? `${lock} is the lock of no process that runs, and comes back or cannot be moved away`
        : `${directory} is being written by process ${found.pid} of ${found.host}`
    const waitedMs = performance.now() - sinceMs
    if (waitedMs > WAIT_MAX_MS) throw new Error(`${held}; if nobody writes there, remove ${lock}`)
    if (waitedMs > SAID_AFTER_MS && !isSaid) {
      isSaid = true
      onWait(`waiting: ${held}`)
    }
    await setTimeout(LOOK_EVERY_MS)
  }
  const forget = temporary(lock)
  try {
    work()
  } finally {
    await release(lock, own)
    forget()
  }
}

/** Gives a lock back at once: a folder that is being emptied is one that another process may move its own to. */
async function release(lock: string, own: string): Promise<void> {
  const sinceMs = performance.now()
  for (;;)
    try {
      return renameSync(lock, own)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      // Another process took it for one that was left behind, and puts it back as soon as it sees whose it is.
      if (performance.now() - sinceMs > PUT_BACK_MAX_MS) return
      await setTimeout(LOOK_EVERY_MS)
    }
}

/** Returns whether a lock was moved to its name, which was free. */
function isMoved(own: string, lock: string): boolean {
  try {
    renameSync(own, lock)
    return true
  } catch (error) {
    if (TAKEN.has((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

/** Returns who has a lock: `nobody` where it is free again, or another one by now; `abandoned` where it is there, and nobody's. */
function lookAt(lock: string): Holder | 'nobody' | 'abandoned' {
  const before = identityOf(lock)
  const holder = holderOf(lock)
  // It is given back and taken by others at any moment: what was read may be of two locks, or of none.
  if (before === null || identityOf(lock) !== before) return 'nobody'
  return holder ?? 'abandoned'
}

/** Returns what tells a lock from one that is there later; null: there is none. */
function identityOf(lock: string): string | null {
  const stat = lstatSync(lock, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? null : `${stat.ino} ${stat.ctimeNs}`
}

/** Returns who has a lock; null: nobody, such as a process that has ended. */
function holderOf(lock: string): Holder | null {
  const holder = named(join(lock, HOLDER))
  return holder !== null && holder.host === hostname() && !isRunning(holder.pid) ? null : holder
}

function named(file: string): Holder | null {
  try {
    const stat = lstatSync(file)
    if (!stat.isFile() || stat.size > LOCK_BYTES_MAX) return null
    if (Date.now() - stat.mtimeMs > ABANDONED_AFTER_MS) return null
    const { pid, host } = JSON.parse(readFileSync(file, 'utf8')) ?? {}
    return Number.isSafeInteger(pid) && pid > 0 && typeof host === 'string' ? { pid, host } : null
  } catch {
    // It is gone, or was not written by us.
    return null
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Removes what has the name of a lock and is nobody's. Where another process took the lock just now, it gets it back. */
function discard(lock: string, aside: string): void {
  try {
    renameSync(lock, aside)
  } catch {
    // Another process was faster, or it may not be moved.
    return
  }
  if (holderOf(aside) !== null) isMoved(aside, lock)
  rmSync(aside, { recursive: true, force: true })
}
