import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { temporary } from './temporary.ts'

/** Name of the lock that a process holds while it moves several files into a folder. */
const LOCK = '.plumbline-lock'
/** File in the lock, which is a folder: no file system renames a folder onto one with content. */
const HOLDER = 'holder.json'
/** Moving files takes milliseconds: an older lock was left behind by a machine that stopped. */
const ABANDONED_AFTER_MS = 60_000
const WAIT_MAX_MS = 10_000
const SAID_AFTER_MS = 500
const LOOK_EVERY_MS = 5
/** Most time that another process needs to check the holder of a lock and put it back. */
const PUT_BACK_MAX_MS = 1_000
/** More than the size of our own locks. */
const LOCK_BYTES_MAX = 1_024

/** Error codes if the name belongs to a non-empty folder or to a file; Windows reports EPERM. */
const TAKEN = new Set(['EEXIST', 'ENOTEMPTY', 'ENOTDIR', 'EPERM'])

/** The process that a lock names. */
interface Holder {
  readonly pid: number
  readonly host: string
}

/**
 * Runs `work` while this process holds the lock of a folder; first waits until the lock is free. Removes a lock that was left
 * behind, or that Plumbline did not create.
 *
 * @param aside a folder on the same file system, to prepare the lock in.
 * @param onWait called once if the wait is long, with a description of the holder.
 * @throws another process holds the lock for longer than ten seconds, or something else of its name cannot be removed.
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
    // It may belong to another user and stay, or be created again and again.
    if (found === 'abandoned') discard(lock, join(aside, 'discarded'))
    const held =
      typeof found === 'string'
        ? `${lock} is not the lock of a running process, and comes back or cannot be moved away`
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

/** Releases a lock by renaming it: while a folder is being emptied, another process could move its own lock there. */
async function release(lock: string, own: string): Promise<void> {
  const sinceMs = performance.now()
  for (;;)
    try {
      return renameSync(lock, own)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      // Another process has moved it away as abandoned, and puts it back once it sees the holder.
      if (performance.now() - sinceMs > PUT_BACK_MAX_MS) return
      await setTimeout(LOOK_EVERY_MS)
    }
}

/** Moves a lock to its name. @returns false if the name is taken. */
function isMoved(own: string, lock: string): boolean {
  try {
    renameSync(own, lock)
    return true
  } catch (error) {
    if (TAKEN.has((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

/** Returns the holder of a lock; `nobody` if it was released or replaced meanwhile, `abandoned` if it has no running holder. */
function lookAt(lock: string): Holder | 'nobody' | 'abandoned' {
  const before = identityOf(lock)
  const holder = holderOf(lock)
  // Other processes may release and take it at any moment, so the read may have mixed two locks.
  if (before === null || identityOf(lock) !== before) return 'nobody'
  return holder ?? 'abandoned'
}

/** Returns a text that distinguishes a lock from later ones; null: there is none. */
function identityOf(lock: string): string | null {
  const stat = lstatSync(lock, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? null : `${stat.ino} ${stat.ctimeNs}`
}

/** Returns the holder of a lock; null: none, or a process that has ended. */
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
    // It is gone, or Plumbline did not write it.
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

/** Removes an abandoned lock. If another process has just taken the lock, puts it back. */
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
