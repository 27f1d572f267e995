import type { Command } from 'commander'
import type { Ending } from '../../runner/ending.ts'
import type { Scenario } from '../../runner/scenarioFile.ts'
import { namedScenarios, readScenarios } from '../../runner/scenarioFolder.ts'
import { hold } from '../conform/hold.ts'
import { type ConformOptions, conformFlags } from '../conform/options.ts'
import type { Output } from '../output.ts'

/** @throws {ScenarioFileError} */
function scenariosOf({ withScenarios, withStories, scenarios = [] }: ConformOptions): readonly Scenario[] {
  return [...(withScenarios || withStories ? namedScenarios() : []), ...readScenarios(scenarios)]
}

/** `plumbline conform`: the conformance suite against any implementation. */
export function conformCommand(output: Output, finish: (ending: Ending) => void): Command {
  return conformFlags().action(async (target: string | undefined, options: ConformOptions) => {
    const { seed, budget, withProperties = false } = options
    const suites = { seed, budget, properties: withProperties, scenarios: scenariosOf(options) }
    finish(await hold(target, options, { command: 'conform', suites }, output))
  })
}
