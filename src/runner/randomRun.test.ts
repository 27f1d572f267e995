import { Script } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type World } from '../simulation/world.ts'
import { type RandomRun, runRandomScript } from './randomRun.ts'

const SEEDS = Array.from({ length: 10 }, (_, index) => index + 1)

async function runAll(world: World, seeds: readonly number[]): Promise<readonly RandomRun[]> {
  const runs: RandomRun[] = []
  for (const seed of seeds) runs.push(await runRandomScript(world, seed))
  return runs
}

describe('random runs of the reference', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld({ seed: 1 })
  })
  afterAll(() => world.stop())

  it('keep every promise, and leave the same log to the byte when run again, in another order', async () => {
    const first = await runAll(world, SEEDS)
    expect(first.map(({ seed, problem }) => ({ seed, problem }))).toEqual(
      SEEDS.map((seed) => ({ seed, problem: null })),
    )
    const second = await runAll(world, [...SEEDS].reverse())
    expect([...second].reverse().map(({ log }) => JSON.stringify(log))).toEqual(
      first.map(({ log }) => JSON.stringify(log)),
    )
  }, 120_000)
})

describe('random runs of a broken service', () => {
  let hasty: World
  beforeAll(async () => {
    hasty = await createWorld({ seed: 1, policy: { confirmations: 1 } })
  })
  afterAll(() => hasty.stop())

  it('fail, and name the clause and the report that broke it', async () => {
    const runs = await runAll(hasty, SEEDS.slice(0, 5))
    const failed = runs.find(({ problem }) => problem !== null)
    expect(failed?.problem).toMatchObject({
      status: 'fail',
      path: expect.stringMatching(/^\d+$/),
      step: { op: expect.stringMatching(/^(confirm|race)$/) },
      message: expect.stringContaining('confirm.depth.twelve'),
    })
  })
})

describe('random runs of a service whose answers do not follow from the seed', () => {
  let leaky: World
  beforeAll(async () => {
    leaky = await createWorld({ seed: 1 })
  })
  afterAll(() => leaky.stop())

  it('are inconclusive, and name the leak, even when the service swallows it', async () => {
    const { clock } = leaky
    const filename = new URL('../service/planted.ts', import.meta.url).pathname
    const leak = new Script('() => { try { Date() } catch {} }', { filename }).runInThisContext()
    const nowMs = clock.nowMs.bind(clock)
    clock.nowMs = () => {
      leak()
      return nowMs()
    }
    const { problem } = await runRandomScript(leaky, 1)
    expect(problem).toMatchObject({
      status: 'inconclusive',
      message: 'Date() was called at src/service/planted.ts:1 inside a simulation',
    })
  })
})
