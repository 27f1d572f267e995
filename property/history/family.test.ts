import { Script } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { raceDefects } from '../../conformance/defects/confirmRaces.ts'
import { changePolicy } from '../../conformance/defects/helpers/ports.ts'
import { runScript, type ScriptRun } from '../../src/runner/families/runScript.ts'
import type { ServiceSeams } from '../../src/service/testing.ts'
import { generateScript } from '../../src/simulation/script/randomScript.ts'
import { useWorld } from '../../src/simulation/testing/lentWorld.ts'
import { createWorld, type World } from '../../src/simulation/world/world.ts'
import { historyFamily } from './family.ts'

/** A seed under which each defect is found. */
const FOUND_BY: Readonly<Record<string, number>> = {
  'confirm-races.no-canonical-check': 31,
  'confirm-races.head-after-receipt': 31,
  'confirm-races.cached-head': 3,
  'confirm-races.window-by-report': 14,
  'confirm-races.replaced-by-nonce': 25,
  'confirm-races.check-then-write': 17,
  'confirm-races.transaction-at-once-for-two': 137,
  'confirm-races.repeat-at-once-conflicts': 17,
  'confirm-races.restart-counts-again': 8,
  'confirm-races.builds-in-memory': 4,
  'confirm-races.windows-in-memory': 49,
  'confirm-races.transactions-in-memory': 130,
  'confirm-races.notional-in-memory': 0,
  'confirm-races.credits-in-memory': 1,
}

/** Seeds on which the reference breaks no property. */
const SEEDS = [...new Set(Object.values(FOUND_BY))]

function runSeed(world: World, seed: number): Promise<ScriptRun> {
  return runScript(historyFamily, world, { seed, steps: generateScript(seed).steps, requirement: null })
}

const world = useWorld(1)

/** Runs the script of a seed on a service with these seams. */
async function runBroken(seams: ServiceSeams, seed: number): Promise<ScriptRun> {
  await world.reset(seed, seams)
  return runSeed(world, seed).finally(() => world.reset(seed, {}))
}

describe('random scripts', () => {
  it('break no property of the reference, and leave the same log to the byte when run again, in another order', async () => {
    const runs = new Map<number, ScriptRun>()
    for (const seed of SEEDS) runs.set(seed, await runSeed(world, seed))
    expect([...runs].filter(([, { problem }]) => problem !== null)).toEqual([])
    for (const seed of SEEDS.slice(-6).reverse())
      expect(JSON.stringify((await runSeed(world, seed)).log)).toBe(JSON.stringify(runs.get(seed)?.log))
  })

  it('name the requirement and the step that a broken service fails', async () => {
    const { problem } = await runBroken(changePolicy({ confirmations: 1 }), 3)
    expect(problem).toMatchObject({
      status: 'fail',
      broken: { requirement: 'confirm.depth.twelve' },
      path: expect.stringMatching(/^\d+$/),
      step: { op: expect.stringMatching(/^(confirm|race)$/) },
      message: expect.stringContaining('confirm.depth.twelve'),
    })
  })

  it.each(raceDefects)('find $id', async ({ id, seams }) => {
    const seed = FOUND_BY[id]
    if (seed === undefined) throw new TypeError(`FOUND_BY names no seed that finds ${id}`)
    expect((await runBroken(seams, seed)).problem?.status).toBe('fail')
  })
})

describe('a script whose answers do not follow from the seed', () => {
  let leaky: World
  beforeAll(async () => {
    leaky = await createWorld({ seed: 1 })
  })
  afterAll(() => leaky.stop())

  it('is inconclusive, and the leak is named, even when the service swallows it', async () => {
    const { clock } = leaky
    const filename = new URL('../../src/service/planted.ts', import.meta.url).pathname
    const leak = new Script('() => { try { Date() } catch {} }', { filename }).runInThisContext()
    const nowMs = clock.nowMs.bind(clock)
    clock.nowMs = () => {
      leak()
      return nowMs()
    }
    expect((await runSeed(leaky, 1)).problem).toMatchObject({
      status: 'inconclusive',
      message: 'Date() was called at src/service/planted.ts:1 inside a simulation',
    })
  })
})
