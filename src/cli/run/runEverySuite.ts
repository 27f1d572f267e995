import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import type { Results } from '../../reporting/results.ts'
import type { Timeline } from '../../reporting/timeline/model.ts'
import type { Suite } from '../../runner/plan.ts'
import type { Outcome } from '../../runner/runRequest.ts'
import { namedScenarios } from '../../runner/scenarioFolder.ts'
import type { Ending } from '../../runner/verdict.ts'
import { UsageError } from '../../spec/errors.ts'
import type { Output } from '../output.ts'
import { drawRecordings, failedScenarios, recordScenarios, scenariosNamed } from '../report/drawScenarios.ts'
import { conformanceSuite, propertySuite, referenceSuites, scenarioSuite } from '../suites.ts'
import { OF_A_TARGET } from './configuration.ts'
import type { RunOptions } from './flags.ts'
import { runFromFlags } from './runFromFlags.ts'

/** The options of `plumbline run`. */
export interface RunCommandOptions extends RunOptions {
  readonly draw?: string[]
}

/** Runs every suite under one seed, against the reference or another implementation, as the flags of `plumbline run` say. */
export async function runEverySuite(
  command: Command,
  options: RunCommandOptions,
  output: Output,
): Promise<Ending> {
  const outside = options.start !== undefined || options.target !== undefined
  checkMeaning(command, outside)
  const drawn = scenariosNamed(options.draw ?? [])
  const running = {
    command: 'run',
    suites: suitesOf(options, outside),
    conform: null,
    flags: [],
    json: ({ result }: Outcome) => result,
    ...(outside
      ? {}
      : { record: ({ result }: Outcome, folder: string) => draw(result, drawn, options.seed, folder) }),
  } as const
  return runFromFlags(outside ? undefined : 'reference', options, running, output)
}

function suitesOf({ seed, budget }: RunOptions, outside: boolean): readonly Suite[] {
  if (!outside) return referenceSuites(seed)
  return [conformanceSuite, propertySuite({ seed, budget }), scenarioSuite(namedScenarios())]
}

/** @throws {UsageError} a flag is given that means nothing for this target. */
function checkMeaning(command: Command, outside: boolean): void {
  const given = (name: string) => command.getOptionValueSource(name) === 'cli'
  if (outside && given('draw')) {
    throw new UsageError('only scenarios of the reference are drawn', 'Leave out --draw.')
  }
  const idle = outside ? undefined : OF_A_TARGET.run.find(given)
  if (idle !== undefined) {
    throw new UsageError(
      `--${idle} is for another implementation, and none is named`,
      "Give --start 'CMD' or --target URL.",
    )
  }
}

/** Returns the timelines of the scenarios that failed and of those that --draw names. */
async function draw(
  result: Results,
  drawn: ReturnType<typeof scenariosNamed>,
  seed: number,
  folder: string,
): Promise<Timeline[]> {
  await recordScenarios([...failedScenarios(result), ...drawn], seed, folder)
  return drawRecordings(existsSync(folder) ? [folder] : [])
}
