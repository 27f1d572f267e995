import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runScenario } from '../src/runner/scenarios/scenarioCases.ts'
import { namedScenarios } from '../src/runner/scenarios/scenarioFolder.ts'
import { lentWorld } from '../src/simulation/testing/lentWorld.ts'
import type { World } from '../src/simulation/world/world.ts'
import { inProcessEnvironment } from '../src/targets/environment/inProcess.ts'

const SEED = 1

let world: World
beforeAll(async () => {
  world = await lentWorld(SEED)
})
afterAll(() => world.stop())

describe('scenarios', () => {
  it.each(namedScenarios().map((scenario) => [scenario.id, scenario] as const))(
    '%s: passes',
    async (_id, scenario) => {
      await world.reset(SEED)
      // golden.test.ts compares each run with the committed recordings, to the byte.
      expect(typeof (await runScenario(inProcessEnvironment(world), scenario))).toBe('object')
    },
  )

  it('have names of their own and are plain data', () => {
    const ids = namedScenarios().map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(JSON.parse(JSON.stringify(namedScenarios()))).toEqual(namedScenarios())
  })
})
