import { expect, test } from 'vitest'
import { adviceFor } from './knownCases.ts'

test.each([
  ['conformance', 'client.swap.nowhere', 'It is about clients: `plumbline client` runs its cases.'],
  ['conformance', 'scenario.depth', 'It is a scenario: add --with-scenarios.'],
  ['conformance', 'quote.route.nowhere', '`plumbline conform --list` cases.'],
  ['client', 'client.swap.nowhere', '`plumbline client --list` cases.'],
  ['client', 'scenario.depth', '`plumbline list` shows requirements, `plumbline client --list` cases.'],
] as const)('a run of %s says which command or flag has %s', async (name, pattern, advice) => {
  expect((await adviceFor([{ name }]))(pattern)).toContain(advice)
})
