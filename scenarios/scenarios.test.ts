import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runScenario } from '../src/runner/scenario.ts'
import { namedScenarios } from '../src/runner/scenarioFolder.ts'
import { createWorld, type World } from '../src/simulation/world.ts'

const SEED = 1

let world: World
beforeAll(async () => {
  world = await createWorld({ seed: SEED })
})
afterAll(() => world.stop())

const logOf = (run: Awaited<ReturnType<typeof runScenario>>) => (typeof run === 'string' ? run : run.log)

describe('scenarios', () => {
  it.each(namedScenarios().map((scenario) => [scenario.id, scenario] as const))(
    '%s: passes, and runs the same again',
    async (_id, scenario) => {
      await world.reset(SEED)
      const first = await runScenario(world, scenario)
      await world.reset(SEED)
      const again = await runScenario(world, scenario)
      expect(logOf(again)).toEqual(logOf(first))
    },
  )

  it('have names of their own and are plain data', () => {
    const ids = namedScenarios().map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(JSON.parse(JSON.stringify(namedScenarios()))).toEqual(namedScenarios())
  })
})
