import { afterAll, beforeAll, expect, it } from 'vitest'
import { plantedDefects, rareDefects } from '../../../conformance/rare/index.ts'
import { historyFamily } from '../../../property/history/family.ts'
import type { Defect } from '../../../src/runner/proof/defect.ts'
import { runScript, type ScriptRun } from '../../../src/runner/runScript.ts'
import { randomRun } from '../../../src/runner/simulate/plan.ts'
import { lentWorld } from '../../../src/simulation/testing/lentWorld.ts'
import type { World } from '../../../src/simulation/world.ts'
import { shadowsOf } from './shadows.ts'

const DEFECTS = [...plantedDefects, ...rareDefects]

let world: World
beforeAll(async () => {
  world = await lentWorld(1)
})
afterAll(() => world.stop())

async function run(seed: number, mix: string, seams: Defect['seams']): Promise<ScriptRun> {
  await world.reset(seed, seams)
  return runScript(historyFamily, world, { ...randomRun(seed, mix), requirement: null })
}

it('name every broken service whose history is another one, and leave the right one as it is', async () => {
  const [seed, mix] = [102014, '03000003030000322'] as const
  const right = await run(seed, mix, {})
  const shadows = shadowsOf(DEFECTS)
  expect(await run(seed, mix, shadows.seams)).toEqual(right)
  const fired = shadows.takeFired()
  for (const { id, seams } of DEFECTS) {
    const { log, problem } = await run(seed, mix, seams)
    if (!fired.has(id)) expect([id, log]).toEqual([id, right.log])
    if (problem !== null) expect([...fired]).toContain(id)
  }
  expect([...fired]).toEqual(
    expect.arrayContaining(['confirm-races.restart-counts-again', 'rare.lost-write-counts-twice']),
  )
  expect(fired.size).toBeLessThan(DEFECTS.length / 2)
})
