/**
 * Kills the service, the harness and the database under load, at random moments from one seed, and counts independently
 * whether anything that was answered is lost, doubled or summed wrongly.
 *
 * `npm run torture -- [--kills N] [--store file|postgres|both] [--seed N] [--json] [--figures]`
 *
 * Exit codes: 0 every promise was kept, 1 one was broken, 2 wrong usage, 3 the tool or its environment failed, or
 * nothing was exercised.
 */
import { Command, Option } from 'commander'
import { wholeNumber } from '../src/cli/wholeNumber.ts'
import { exitCodeOf } from '../src/runner/exitCode.ts'
import type { StoreKind } from './deployment/databases.ts'
import { tableOf, writeFigures } from './deployment/figures.ts'
import { figuresOf, summaryOf } from './torture/figures.ts'
import { runTorture, type TortureResult } from './torture/torture.ts'

interface Options {
  readonly kills: number
  readonly store: StoreKind | 'both'
  readonly seed: number
  readonly clients: number
  readonly json?: boolean
  readonly figures?: boolean
}

const program = new Command('npm run torture --')
  .option('--kills <n>', 'how many times SIGKILL is sent, on each store', wholeNumber, 200)
  .addOption(
    new Option('--store <store>', 'where the service keeps its data')
      .choices(['file', 'postgres', 'both'])
      .default('both'),
  )
  .option('--seed <n>', 'decides what is attacked, and when', wholeNumber, 1)
  .option('--clients <n>', 'how many clients work at the same time', wholeNumber, 24)
  .option('--json', 'print the results as one line of JSON for each store')
  .option('--figures', 'write the figures into docs/reliability.md')
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : exitCodeOf('usage')))
  .parse()
const { store, json, figures, ...options } = program.opts<Options>()

/** Prints the results of one store. */
function print(kind: StoreKind, result: TortureResult): void {
  if (json) console.log(JSON.stringify({ store: kind, seed: options.seed, ...result }))
  else console.log(summaryOf(kind, options.seed, result))
  for (const { what, details } of result.findings.slice(0, 50)) console.error(`${what}: ${details}`)
}

let ending: 'conforms' | 'does-not-conform' | 'inconclusive' = 'conforms'
for (const kind of store === 'both' ? (['file', 'postgres'] as const) : [store]) {
  try {
    const result = await runTorture({ ...options, store: kind, progress: (line) => console.error(line) })
    print(kind, result)
    if (figures) writeFigures(`torture-${kind}`, tableOf(figuresOf(kind, options, result)))
    if (result.findings.length > 0) ending = 'does-not-conform'
    else if (result.recorded === 0 && ending === 'conforms') ending = 'inconclusive'
  } catch (error) {
    console.error(error instanceof Error ? (error.stack ?? error.message) : error)
    if (ending === 'conforms') ending = 'inconclusive'
  }
}
process.exit(exitCodeOf(ending))
