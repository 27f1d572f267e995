import { expect, test } from 'vitest'
import { clientCases, runClientCase } from './client.ts'

test('a client that is a function is judged like any other', async () => {
  const seen: unknown[] = []
  const { problem } = await runClientCase(
    'client.route.none',
    async ({ baseUrl, apiKey, goal, stateFolder }) => {
      seen.push(goal.from.symbol, typeof stateFolder)
      const query = new URLSearchParams({ from: goal.from.symbol, to: goal.to.symbol, amount: goal.amount })
      const headers = { authorization: `Bearer ${apiKey}` }
      const response = await fetch(`${baseUrl}/api/v1/quote?${query}`, { headers })
      const { route } = (await response.json()) as { readonly route: unknown }
      return route === null ? 3 : 1
    },
  )
  expect(problem).toBeNull()
  expect(seen).toEqual(['VOID', 'string'])
})

test('a problem names the requirement that the client broke', async () => {
  const { problem } = await runClientCase('client.swap.native', async () => {
    throw new Error('not written yet')
  })
  expect(problem).toContain('client.done-when-recorded')
})

test('a case that does not exist is refused', async () => {
  expect(clientCases().length).toBeGreaterThan(50)
  await expect(runClientCase('client.swap.venue_x', async () => 0)).rejects.toThrow(
    'no case client.swap.venue_x',
  )
})
