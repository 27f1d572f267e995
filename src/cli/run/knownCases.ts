import { caseIndex } from '../suites/caseIndex.ts'
import type { SuiteChoice } from '../suites/suites.ts'

/** Returns the ids of all cases that a baseline may name, regardless of what a run selects. */
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

/** Returns a function that gives advice on a pattern that selects nothing: the command or flag that adds its suite. */
export async function adviceFor(suites: readonly SuiteChoice[]): Promise<(pattern: string) => string> {
  const { properties } = await caseIndex()
  const has = (name: SuiteChoice['name']) => suites.some((suite) => suite.name === name)
  const missing = (pattern: string): string => {
    if (pattern.startsWith('client.') && !has('client'))
      return 'It is about clients: `plumbline client` runs its cases. '
    if (has('client')) return ''
    if (pattern.startsWith('scenario.') && !has('scenarios'))
      return 'It is a scenario: add --with-scenarios. '
    return !has('properties') && properties.includes(pattern)
      ? 'It is a property: add --with-properties. '
      : ''
  }
  const command = has('client') ? 'client' : 'conform'
  return (pattern) =>
    `${missing(pattern)}\`plumbline list\` shows requirements, \`plumbline ${command} --list\` cases.`
}
