import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { exitCodeOf } from '../../src/runner/exitCode.ts'
import { type RunningProcess, startProcess } from '../runningProcess.ts'

const PROGRAM = fileURLToPath(new URL('../../bin/plumbline.mjs', import.meta.url))
/** Moves the clock of a process, and of those that it starts, by an hour. */
const CLOCK_AHEAD = '--import=data:text/javascript,const{now}=Date;Date.now=()=>now()+3600000'

/**
 * Runs `plumbline campaign` to its end and returns what it prints to its standard output, also where seeds fail.
 *
 * @throws {Error}
 */
export function campaign(url: string | null, ...args: readonly string[]): string {
  const database = url === null ? [] : ['--database-url', url]
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [PROGRAM, 'campaign', ...args, ...database],
    { encoding: 'utf8', maxBuffer: 1e9 },
  )
  if (status === exitCodeOf('conforms') || status === exitCodeOf('does-not-conform')) return stdout
  throw new Error(`plumbline campaign ${args.join(' ')} ended with ${status}: ${stderr}`)
}

/** Returns a machine with one worker, which ends when the campaign does. */
export function startMachine(url: string, id: string, isClockAhead: boolean): RunningProcess {
  const { NODE_OPTIONS: options = '', ...env } = process.env
  const NODE_OPTIONS = isClockAhead ? `${options} ${CLOCK_AHEAD}` : options
  const args = ['campaign', 'work', id, '--workers', '1', '--until-done', '--database-url', url]
  return startProcess(process.execPath, [PROGRAM, ...args], { env: { ...env, NODE_OPTIONS } })
}

/** Returns the processes in which the workers of a machine run scripts; none while they start. */
export function simulatorsOf(pid: number): readonly number[] {
  try {
    const printed = execFileSync('pgrep', ['-P', String(pid), '-f', 'cli/worker'], { encoding: 'utf8' })
    return printed.trim().split('\n').map(Number)
  } catch {
    return []
  }
}
