import { Command, InvalidArgumentError } from 'commander'
import { type RandomRun, runRandomScript } from '../../harness/randomRun.ts'
import { createWorld } from '../../simulation/world.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import type { Output } from '../output.ts'
import { coverageTable, describeOptions, describeProblem } from '../simulateTables.ts'

interface SimulateOptions {
  readonly seed: number
  readonly runs: number
}

/** `plumbline simulate`: random scripts against the reference, one for each seed. */
export function simulateCommand(output: Output, finish: (code: ExitCode) => void): Command {
  return new Command('simulate')
    .description(
      'Run random simulations of the reference service: faults, reorganisations, then honest reports.',
    )
    .option('--seed <n>', 'the seed of the first run; each further run has the next', wholeNumber, 1)
    .option('--runs <n>', 'how many runs', atLeastOne, 20)
    .addHelpText('after', '\nExample:\n  plumbline simulate --seed 1 --runs 50')
    .action(async (options: SimulateOptions) => {
      const runs: RandomRun[] = []
      const world = await createWorld({ seed: options.seed })
      try {
        for (let run = 0; run < options.runs; run += 1) {
          const result = await runRandomScript(world, options.seed + run)
          runs.push(result)
          output.out(describeOptions(result))
          if (result.problem !== null) output.err(describeProblem(result))
        }
      } finally {
        await world.stop()
      }
      output.out(coverageTable(runs))
      finish(verdictOf(runs))
    })
}

function verdictOf(runs: readonly RandomRun[]): ExitCode {
  const statuses = runs.map(({ problem }) => problem?.status)
  if (statuses.includes('fail')) return EXIT.doesNotConform
  return statuses.includes('inconclusive') ? EXIT.inconclusive : EXIT.conforms
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('a whole number of at most 9 digits is needed.')
  return Number(text)
}

function atLeastOne(text: string): number {
  const value = wholeNumber(text)
  if (value === 0) throw new InvalidArgumentError('at least one run is needed.')
  return value
}
