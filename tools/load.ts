/**
 * Runs loads that a deployed reference service, or the harness, must bear:
 *
 * `npm run load -- torture | soak | stress | hostile | balancer [options]`, each with `--help`. Prints the figures as
 * docs/internals/reliability.md shows them.
 *
 * Exit codes: 0 if everything that the load checks holds, 1 if not, 2 for wrong usage, 3 if the tool or its environment failed,
 * or nothing was exercised.
 */
import { Command } from 'commander'
import { exitCodeOf } from '../src/runner/verdict/exitCode.ts'
import { balancer } from './load/balancer.ts'
import { type Load, type Row, startFindings, tableOf, whole } from './load/figures.ts'
import { hostile } from './load/hostile.ts'
import { openWorkspace } from './load/setup/workspace.ts'
import { soak } from './load/soak.ts'
import { stress } from './load/stress.ts'
import { torture } from './load/torture.ts'

const LOADS: Readonly<Record<string, Load>> = { torture, soak, stress, hostile, balancer }
const FINDINGS_SHOWN = 50

const program = new Command('npm run load --').exitOverride(({ exitCode }) =>
  process.exit(exitCode === 0 ? 0 : exitCodeOf('usage')),
)
for (const [name, load] of Object.entries(LOADS)) {
  const command = program.command(name).description(load.description)
  for (const option of load.options) command.addOption(option)
  command.action(async (options) => process.exit(await carryOut(load, options as never)))
}
await program.parseAsync()

/** Runs a load, prints its results, and returns the exit code. */
async function carryOut({ run, head }: Load, options: never): Promise<number> {
  const { findings, find } = startFindings()
  const rows: Row[] = []
  const workspace = openWorkspace()
  try {
    const isExercised = await run(options, {
      workspace,
      find,
      show: (...more) => rows.push(...more),
    }).finally(async () => find('something is left', ...(await workspace.end())))
    console.log(tableOf(`npm run load -- ${process.argv.slice(2).join(' ')}`, head, rows))
    console.log(`\nfindings: ${whole(findings.length)}`)
    for (const { what, details } of findings.slice(0, FINDINGS_SHOWN)) console.error(`${what}: ${details}`)
    if (findings.length > 0) return exitCodeOf('does-not-conform')
    return exitCodeOf(isExercised ? 'conforms' : 'inconclusive')
  } catch (error) {
    console.error(error instanceof Error ? (error.stack ?? error.message) : error)
    return exitCodeOf('inconclusive')
  }
}
