/**
 * The cases for clients: each runs the client against a service with its own chain, and judges what the client sends to both.
 *
 * @example
 * ```ts
 * import { runClientCase } from 'plumbline-conformance/client'
 * import { swap } from '../src/swap.ts'
 *
 * const { problem } = await runClientCase('client.killed.after-swap', (input) => swap(input))
 * expect(problem).toBeNull()
 * ```
 */
import { clientSuite } from '../cli/suites/clientSuite.ts'
import { UsageError } from '../spec/errors.ts'
import type { ClientFunction } from '../targets/starting/outsideClient.ts'
import { suiteOf } from './suite.ts'

export type { ClientEnding, ClientRequest, ClientTransaction, ObservedClient } from '../oracles/index.ts'
export { judgeClient } from '../oracles/index.ts'
export { GOAL_SCHEMA, type Goal, goalSchema } from '../spec/goal.ts'
export type { ClientFunction, ClientInput } from '../targets/starting/outsideClient.ts'

/** Returns every case for clients, in the order of the suite. */
export function clientCases(): readonly { readonly id: string; readonly title: string }[] {
  return clientSuite.cases(null).map(({ id, title }) => ({ id, title }))
}

/**
 * Runs a client in one case, in real time, and judges what it sent to the service and to the chain, and how it ended.
 *
 * @param id the id of a case, as `clientCases` returns it.
 * @param client a function, or a shell command as for `plumbline client --start`.
 * @param options.strict true to count broken conventions as failures. Default: true, because swapping twice breaks one.
 * @returns why the client does not pass, as text with the clause, what was expected and the exchanges; null: it passes.
 * @throws {UsageError} there is no such case.
 */
export async function runClientCase(
  id: string,
  client: string | ClientFunction,
  { strict = true }: { readonly strict?: boolean } = {},
): Promise<{ readonly problem: string | null }> {
  if (!clientCases().some((each) => each.id === id))
    throw new UsageError(`there is no case ${id} for clients`, 'Use an id that `clientCases()` returns.')
  const suite = suiteOf({ client }, { only: [id] }, strict)
  const run = await suite.open()
  try {
    const [planned] = suite.planned
    return { problem: planned === undefined ? null : await run.run(planned) }
  } finally {
    await run.end()
  }
}
