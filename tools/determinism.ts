/**
 * Checks that a seed determines everything: simulates the same seeds in two processes that differ in time zone, language,
 * number of workers and load, and compares their traces byte by byte. Prints the first difference, and exits with 1 if there is
 * one or if a run fails.
 *
 * `tsx tools/determinism.ts [FIRST_SEED [RUNS]]`
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeTemporaryFolder } from '../src/host/temporary.ts'
import { startProcess } from './runningProcess.ts'

const PLUMBLINE = fileURLToPath(new URL('../bin/plumbline.mjs', import.meta.url))
const [FIRST_SEED = '1', RUNS = '50'] = process.argv.slice(2)

interface Side {
  readonly name: string
  readonly workers: number
  readonly environment: Readonly<Record<string, string>>
}

/** Time zones half a day apart; one language with unusual capitals of i, and the C locale. */
const SIDES: readonly [Side, Side] = [
  {
    name: 'two-workers',
    workers: 2,
    environment: { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
  },
  { name: 'one-worker', workers: 1, environment: { TZ: 'America/St_Johns', LANG: 'C', LC_ALL: 'C' } },
]

/** Runs one side and returns its trace; shows its output only if it fails. */
async function traceOf({ name, workers, environment }: Side, directory: string): Promise<string> {
  const trace = join(directory, `${name}.ndjson`)
  const options = ['--seed', FIRST_SEED, '--runs', RUNS, '--workers', `${workers}`]
  const words = ['simulate', ...options, '--trace', trace, '--no-shrink', '--quiet']
  const run = startProcess(process.execPath, [PLUMBLINE, ...words], {
    env: { ...process.env, ...environment },
  })
  const code = await run.ended
  if (code !== 0) throw new Error(`${name} ended with ${code ?? 'a signal'}:\n${run.output()}`)
  return readFileSync(trace, 'utf8')
}

/** Describes the first difference of two texts; null: they are equal. */
function firstDifference(one: string, other: string): string | null {
  if (one === other) return null
  const [lines, others] = [one.split('\n'), other.split('\n')]
  const at = lines.findIndex((line, index) => line !== others[index])
  const [line = '', otherLine = ''] = [lines[at], others[at]]
  const start = [...line].findIndex((letter, index) => letter !== otherLine[index])
  const excerpt = (text: string) => text.slice(Math.max(0, start - 80), start + 80)
  return `line ${at + 1}, character ${start + 1}:\n  ${excerpt(line)}\n  ${excerpt(otherLine)}`
}

const { path: directory, remove } = makeTemporaryFolder('determinism')
/** Keeps one core busy until it is killed. */
const load = startProcess(process.execPath, ['--eval', 'for (;;);'], {})
try {
  const sides = SIDES.map((side) => traceOf(side, directory))
  // The slower side finishes without the load, which saves time.
  void Promise.race(sides)
    .finally(() => load.signal('SIGKILL'))
    .catch(() => {})
  const [one, other] = await Promise.all(sides)
  const difference = firstDifference(one as string, other as string)
  if (difference !== null) throw new Error(`the traces of the two sides differ in ${difference}`)
  const bytes = Buffer.byteLength(one as string)
  console.log(`determinism: ${RUNS} seeds from ${FIRST_SEED}, twice, ${bytes} equal bytes`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  load.signal('SIGKILL')
  remove()
}
