import type { Suite } from '../../runner/plan.ts'
import type { Outcome } from '../../runner/run.ts'
import { namedScenarios, readScenarios } from '../../runner/scenarioFolder.ts'
import type { Ending } from '../../runner/verdict.ts'
import type { Output } from '../output.ts'
import { quoted } from '../shellWord.ts'
import { conformanceSuite, propertySuite, scenarioSuite } from '../suites.ts'
import type { RunOptions } from './flags.ts'
import { runFromFlags } from './runFromFlags.ts'

/** The options of `plumbline conform`. */
export interface ConformOptions extends RunOptions {
  readonly withProperties?: boolean
  readonly withScenarios?: boolean
  /** The former name of `withScenarios`. */
  readonly withStories?: boolean
  readonly scenarios?: string[]
}

/** Checks an implementation against the specification, as the flags of `plumbline conform` say. */
export async function runConformance(
  target: string | undefined,
  options: ConformOptions,
  output: Output,
): Promise<Ending> {
  const running = {
    command: 'conform',
    suites: suitesOf(options),
    flags: flagsOf(options),
    json: ({ verdicts }: Outcome) => verdicts,
  } as const
  return runFromFlags(target, options, running, output)
}

function suitesOf(options: ConformOptions): readonly Suite[] {
  const { seed, budget, withProperties, scenarios = [] } = options
  const chosen = [...(withScenarios(options) ? namedScenarios() : []), ...readScenarios(scenarios)]
  return [
    conformanceSuite,
    ...(withProperties ? [propertySuite({ seed, budget })] : []),
    ...(chosen.length === 0 ? [] : [scenarioSuite(chosen)]),
  ]
}

function flagsOf(options: ConformOptions): readonly string[] {
  return [
    ...(options.withProperties ? ['--with-properties'] : []),
    ...(withScenarios(options) ? ['--with-scenarios'] : []),
    ...(options.scenarios ?? []).map((path) => `--scenarios ${quoted(path)}`),
  ]
}

function withScenarios(options: ConformOptions): boolean {
  return options.withScenarios ?? options.withStories ?? false
}
