import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { undoAtSignal } from '../../../src/host/atExit.ts'
import { temporary } from '../../../src/host/temporary.ts'
import { realTime } from '../../../src/targets/realTime.ts'
import { type RunningProcess, startProcess } from '../../runningProcess.ts'

/** A folder for one load. Its processes are marked in their environment, by which leftovers are found. */
export interface Workspace {
  readonly root: string
  /** Starts a program of Node.js in the folder. */
  start(args: readonly string[], variables?: Readonly<Record<string, string>>): RunningProcess
  /** Adds a step to be run at the end, before those added earlier. */
  onEnd(undo: () => Promise<unknown>): void
  /** Ends everything and removes the folder. Returns the processes and files that are still there after `graceMs`. */
  end(graceMs?: number): Promise<readonly string[]>
}

/** Time that the children of a killed process may take to end. */
const GRACE_MS = 10_000
const LOOK_EVERY_MS = 100
const SHOWN_CHARACTERS = 200
/** Caches of compiled sources, which all processes share. */
const CACHES = /^(?:tsx-|node-compile-cache)/
/** If this process runs as root, PostgreSQL runs as another user, which must be able to reach its data. */
const OTHERS_ENTER = 0o711

export function openWorkspace(parent = tmpdir()): Workspace {
  const root = mkdtempSync(join(parent, 'plumbline-load-'))
  chmodSync(root, OTHERS_ENTER)
  const remove = temporary(root)
  const files = join(root, 'temporary')
  mkdirSync(files)
  const environment = { TMPDIR: files, PLUMBLINE_LOAD: root, LOG_LEVEL: 'error', NO_COLOR: '1' }
  const undos: (() => Promise<unknown>)[] = []
  let over: Promise<readonly string[]> | null = null
  const endAll = async (graceMs: number) => {
    for (const undo of undos.splice(0).reverse()) await undo()
    const left = await leftovers(root, files, graceMs)
    remove()
    forget()
    return left
  }
  const end = (graceMs = GRACE_MS) => {
    over ??= endAll(graceMs)
    return over
  }
  const forget = undoAtSignal(end)
  return {
    root,
    start: (args, variables) =>
      startProcess(process.execPath, args, { env: { ...process.env, ...environment, ...variables } }),
    onEnd: (undo) => undos.push(undo),
    end,
  }
}

async function leftovers(marker: string, directory: string, graceMs: number): Promise<readonly string[]> {
  const endsAtMs = realTime.nowMs() + graceMs
  for (;;) {
    const left = [...processesWith(marker), ...filesIn(directory)]
    if (left.length === 0 || realTime.nowMs() >= endsAtMs) return left
    await realTime.pass(LOOK_EVERY_MS)
  }
}

function filesIn(directory: string): readonly string[] {
  return readdirSync(directory)
    .filter((name) => !CACHES.test(name))
    .map((name) => `the file ${name}`)
}

/** The `e` of ps shows the environment of each process; that of this process has no marker. */
function processesWith(marker: string): readonly string[] {
  const options = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const
  return execFileSync('ps', ['axeww', '-o', 'pid=,command='], options)
    .split('\n')
    .filter((line) => line.includes(marker))
    .map((line) => `the process ${line.trim().slice(0, SHOWN_CHARACTERS)}`)
}
