import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readKeptFailures } from '../src/runner/keptFailure.ts'
import { runScript } from '../src/runner/randomRun.ts'
import { runScenario } from '../src/runner/scenario.ts'
import { KEPT_FOLDER, namedScenarios } from '../src/runner/scenarioFolder.ts'
import { createWorld, type World } from '../src/simulation/world.ts'

const SEED = 1

let world: World
beforeAll(async () => {
  world = await createWorld({ seed: SEED })
})
afterAll(() => world.stop())

describe('scenarios', () => {
  it.each(readKeptFailures(KEPT_FOLDER).map((kept) => [kept.id, kept] as const))(
    '%s: does not come back',
    async (_id, { seed, steps }) => {
      expect((await runScript(world, seed, steps)).problem).toBeNull()
    },
  )

  it.each(namedScenarios().map((scenario) => [scenario.id, scenario] as const))(
    '%s: passes, and runs the same again',
    async (_id, scenario) => {
      await world.reset(SEED)
      const first = await runScenario(world, scenario)
      await world.reset(SEED)
      const again = await runScenario(world, scenario)
      expect(again?.log).toEqual(first?.log)
    },
  )

  it('have names of their own and are plain data', () => {
    const ids = namedScenarios().map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(JSON.parse(JSON.stringify(namedScenarios()))).toEqual(namedScenarios())
  })
})
