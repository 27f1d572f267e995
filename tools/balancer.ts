/**
 * Runs the suite against one process of the service, and against several behind a balancer that spreads every request over them, on one
 * PostgreSQL; and compares the verdicts. Needs nginx.
 *
 * `npm run check:balancer -- [--processes N] [--only PATTERN…]`
 *
 * Exit codes: 0 the verdicts are the same, 1 they differ, 2 wrong usage, 3 the tool or its environment failed.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { atLeastOne } from '../src/cli/wholeNumber.ts'
import { temporary } from '../src/host/temporary.ts'
import { exitCodeOf } from '../src/runner/exitCode.ts'
import { withServer } from './postgresServer.ts'

const PROGRAM = fileURLToPath(new URL('../bin/plumbline.mjs', import.meta.url))
const CAPABILITIES = fileURLToPath(new URL('../docs/reference.capabilities.json', import.meta.url))

interface Options {
  readonly processes: number
  readonly only: readonly string[]
}

const program = new Command('npm run check:balancer --')
  .option('--processes <n>', 'processes of the service behind the balancer', atLeastOne, 2)
  .option('--only <pattern...>', 'these cases', [])
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : exitCodeOf('usage')))
  .parse()
const { processes, only } = program.opts<Options>()

/** Long enough for as many reports as the budget has through PostgreSQL and a balancer on a busy machine, in seconds. */
const BUDGET_WINDOW_S = 20

/** Describes what one run of the suite came to. */
interface Result {
  /** The text of its `verdicts.json`. */
  readonly verdicts: string
  /** How many requests each process got. */
  readonly requests: readonly number[]
}

const directory = mkdtempSync(join(tmpdir(), 'plumbline-balancer-'))
const remove = temporary(directory)
try {
  const [one, several] = await withServer(async (server) => {
    const url = server.urlOf('postgres')
    return [runSuite(url, 'one', 1), runSuite(url, 'several', processes)] as const
  })
  const isSame = one.verdicts === several.verdicts
  console.log(
    isSame
      ? `the same verdicts, to the byte: one process, and ${processes} behind a balancer`
      : `the verdicts differ:\n${differences(one.verdicts, several.verdicts).join('\n')}`,
  )
  console.log(`requests of the processes behind the balancer: ${several.requests.join(', ')}`)
  const fewest = Math.min(...several.requests)
  const isSpread = several.requests.length === processes && fewest > 0.8 * Math.max(...several.requests)
  if (!isSpread) console.log('the balancer did not spread the requests')
  process.exitCode = exitCodeOf(isSame && isSpread ? 'conforms' : 'does-not-conform')
} finally {
  remove()
}

function differences(one: string, several: string): readonly string[] {
  const [lines, others] = [one.split('\n'), several.split('\n')]
  return [
    ...lines.filter((line) => !others.includes(line)).map((line) => `  one process: ${line}`),
    ...others.filter((line) => !lines.includes(line)).map((line) => `  ${processes} processes: ${line}`),
  ]
}

/** Returns the verdicts of the suite against so many processes behind a balancer. */
function runSuite(postgresUrl: string, name: string, count: number): Result {
  const capabilities = join(directory, 'capabilities.json')
  const revokeKey = `node ${PROGRAM} keys revoke {keyId} --database "$(cat $PLUMBLINE_DIR/database-url)"`
  const given = JSON.parse(readFileSync(CAPABILITIES, 'utf8'))
  const confirmBudget = { ...given.confirmBudget, windowS: BUDGET_WINDOW_S }
  const declared = { ...given, confirmBudget, revokeKey }
  writeFileSync(capabilities, JSON.stringify(declared))
  const out = join(directory, name)
  const log = join(directory, `${name}.log`)
  const start = `BUDGET_WINDOW_MS=${BUDGET_WINDOW_S * 1_000} npx tsx ${fileURLToPath(new URL('./balancer/serve.ts', import.meta.url))} ${count}`
  const { status } = spawnSync(
    process.execPath,
    [
      PROGRAM,
      'conform',
      '--no-config',
      '--capabilities',
      capabilities,
      '--start',
      start,
      ...['POSTGRES_URL', 'UPSTREAMS_LOG'].flatMap((name) => ['--env', name]),
      '--instances',
      '1',
      '--out',
      out,
    ].concat(only.length === 0 ? [] : ['--only', ...only]),
    {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, POSTGRES_URL: postgresUrl, UPSTREAMS_LOG: log },
    },
  )
  if (status === null || !existsSync(join(out, 'verdicts.json'))) throw new Error('the suite did not end')
  return { verdicts: readFileSync(join(out, 'verdicts.json'), 'utf8'), requests: requestsIn(log) }
}

/** Returns the requests that each process served. */
function requestsIn(log: string): readonly number[] {
  const counts = new Map<string, number>()
  for (const upstream of readFileSync(log, 'utf8').split('\n'))
    if (upstream.includes(':')) counts.set(upstream, (counts.get(upstream) ?? 0) + 1)
  return [...counts.values()]
}
