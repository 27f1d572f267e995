/**
 * Runs two processes of the service on one PostgreSQL at half of their capacity for a while, with quotes, builds, swaps on
 * the chain, reports and false claims, and shows whether memory is flat, no request fails, and every total equals an
 * independent count.
 *
 * `npm run soak -- [--minutes N] [--capacity-seconds N] [--seed N] [--json] [--figures]`
 *
 * Exit codes: 0 all of it holds, 1 something does not, 2 wrong usage, 3 the tool or its environment failed, or nothing was
 * exercised.
 */
import { Command } from 'commander'
import { wholeNumber } from '../src/cli/wholeNumber.ts'
import { exitCodeOf } from '../src/runner/exitCode.ts'
import { tableOf, writeFigures } from './deployment/figures.ts'
import { figuresOf, summaryOf } from './soak/figures.ts'
import { runSoak } from './soak/soak.ts'

interface Options {
  readonly minutes: number
  readonly capacitySeconds: number
  readonly seed: number
  readonly json?: boolean
  readonly figures?: boolean
}

const program = new Command('npm run soak --')
  .option('--minutes <n>', 'how long the steady load lasts', wholeNumber, 20)
  .option('--capacity-seconds <n>', 'how long the capacity is measured before', wholeNumber, 20)
  .option('--seed <n>', 'decides what each client does', wholeNumber, 1)
  .option('--json', 'print the results as one line of JSON')
  .option('--figures', 'write the figures into docs/reliability.md')
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : exitCodeOf('usage')))
  .parse()
const { capacitySeconds: capacityS, json, figures, ...options } = program.opts<Options>()

let ending: 'conforms' | 'does-not-conform' | 'inconclusive' = 'conforms'
try {
  const result = await runSoak({ ...options, capacityS, progress: (line) => console.error(line) })
  console.log(json ? JSON.stringify({ seed: options.seed, ...result }) : summaryOf(result))
  for (const { what, details } of result.findings.slice(0, 50)) console.error(`${what}: ${details}`)
  if (figures) writeFigures('soak', tableOf(figuresOf({ ...options, capacityS }, result)))
  if (result.findings.length > 0) ending = 'does-not-conform'
  else if (result.recorded === 0) ending = 'inconclusive'
} catch (error) {
  console.error(error instanceof Error ? (error.stack ?? error.message) : error)
  ending = 'inconclusive'
}
process.exit(exitCodeOf(ending))
