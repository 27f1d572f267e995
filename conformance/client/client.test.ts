import { expect, test } from 'vitest'
import type { ClientSeams } from '../../src/client/inProcessProgram.ts'
import { runCase } from '../../src/runner/cases/runCase.ts'
import { useWorld } from '../../src/simulation/testing/lentWorld.ts'
import { inProcessEnvironment } from '../../src/targets/environment/inProcess.ts'
import { defectOf } from '../defects/index.ts'
import { casesForClients } from './index.ts'

const world = useWorld(1)

async function run(id: string, client: ClientSeams = {}) {
  const environment = inProcessEnvironment(world, { seed: 1, client })
  const testCase = casesForClients().find((each) => each.id === id)
  if (testCase === undefined) throw new RangeError(id)
  return runCase(testCase, { enter: () => environment.fresh(), strict: true, replay: () => '' })
}

test.each(casesForClients().map(({ id, title }) => [id, title]))('%s: %s', async (id) => {
  expect(await run(id)).toMatchObject({ status: 'pass', failure: null })
})

test('two runs of a case take the same steps, to the hash', async () => {
  const [first, second] = [await run('client.killed.after-fee'), await run('client.killed.after-fee')]
  expect(second).toEqual(first)
})

test('nothing waits for the time of a client that has ended', async () => {
  await run('client.swap.native')
  const nextMs = world.clock.nextTimerMs()
  const blockTimeMs = 1_000
  expect((nextMs ?? 0) - world.clock.nowMs()).toBeLessThanOrEqual(blockTimeMs)
})

test.each([
  ['client-chain.fee-skipped', 'client.swap.venue_c', 'client.fee-transfer-first'],
  ['client-chain.chain-unchecked', 'client.chain.other', 'client.rejects-other-chains'],
  ['client-reports.forgets-everything', 'client.killed.after-swap', 'client.one-swap'],
  ['client-reports.retry-after-as-ms', 'client.pending.date', 'client.retry-after'],
])('%s fails %s for %s', async (defect, id, requirement) => {
  const { status, failure } = await run(id, defectOf(defect)?.client)
  expect([status, failure?.requirement]).toEqual(['fail', requirement])
})

test('a client that hammers the service is ended, and called by that name', async () => {
  const { failure } = await run('client.unavailable.build.always', {
    rules: () => ({ pauseMs: () => 1 }),
    ports: ({ goal }) => ({ goal: { ...goal, timeoutS: 1_000_000 } }),
  })
  expect(failure?.requirement).toBe('client.build-backoff')
})

test('a client that waits for ever ends after its time', async () => {
  const { failure } = await run('client.swap.native', {
    ports: ({ http }) => ({
      http: (request) => (request.path.endsWith('/build') ? new Promise(() => {}) : http(request)),
    }),
  })
  expect(failure?.actual).toContain('not ended')
})
