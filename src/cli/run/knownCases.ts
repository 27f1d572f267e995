import { caseIndex } from '../suites/caseIndex.ts'
import type { SuiteChoice } from '../suites/suites.ts'

/** Returns every case that a baseline may name, whatever a run selects. */
export async function knownIds(): Promise<readonly string[]> {
  const { cases, properties, lifecycles } = await caseIndex()
  const { namedScenarios } = await import('../../runner/scenarios/scenarioFolder.ts')
  return [
    ...cases.map(({ id }) => id),
    ...properties,
    ...lifecycles,
    ...namedScenarios().map(({ id }) => `scenario.${id}`),
  ]
}

/** Returns what to do about a pattern that selects nothing: which flag adds the suite that it is about. */
export async function adviceFor(suites: readonly SuiteChoice[]): Promise<(pattern: string) => string> {
  const { properties } = await caseIndex()
  const has = (name: SuiteChoice['name']) => suites.some((suite) => suite.name === name)
  return (pattern) => {
    const missing =
      pattern.startsWith('scenario.') && !has('scenarios')
        ? 'It is a scenario: add --with-scenarios. '
        : !has('properties') && properties.includes(pattern)
          ? 'It is a property: add --with-properties. '
          : ''
    return `${missing}\`plumbline list\` shows requirements, \`plumbline conform --list\` cases.`
  }
}
