import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hunt } from '../../src/runner/hunt.ts'
import { runRandomScript } from '../../src/runner/randomRun.ts'
import { createWorld, type World } from '../../src/simulation/world.ts'
import { RACE_DEFECTS } from './confirmRaces/index.ts'

/** A seed under which each is found. From seed 1 on, `hunt` finds every one of them within a hundred seeds. */
const FOUND_BY: Readonly<Record<string, number>> = {
  'confirm-races.no-canonical-check': 59,
  'confirm-races.cached-head': 1,
  'confirm-races.window-by-report': 27,
  'confirm-races.replaced-by-nonce': 44,
  'confirm-races.check-then-write': 5,
  'confirm-races.restart-counts-again': 1,
  'confirm-races.memo-for-another-sender': 19,
}

describe('random simulation', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld({ seed: 1 })
  })
  afterAll(() => world.stop())

  it.each(RACE_DEFECTS.map((defect) => [defect.id, defect] as const))(
    'finds %s, where the reference keeps every promise',
    async (id, { seams }) => {
      const from = FOUND_BY[id] ?? 0
      const { found } = await hunt(world, seams, { from, seeds: 1 })
      expect(found?.problem?.status).toBe('fail')
      expect((await runRandomScript(world, from)).problem).toBeNull()
    },
  )

  it('says after how many seeds it gave up', async () => {
    expect(await hunt(world, {}, { from: 1, seeds: 2 })).toEqual({ seeds: 2, found: null })
  })
})
