import { afterAll, beforeAll, expect, it } from 'vitest'
import { historyFamily } from '../../property/history/family.ts'
import { runScript, type ScriptRun } from '../../src/runner/runScript.ts'
import { generateScript } from '../../src/simulation/randomScript.ts'
import type { StepInput } from '../../src/simulation/steps.ts'
import { lentWorld } from '../../src/simulation/testing/lentWorld.ts'
import type { World } from '../../src/simulation/world.ts'
import { plantedDefects, rareDefects } from './index.ts'

/** A seed and a mix under which each is found. */
const FOUND_BY: Readonly<Record<string, readonly [seed: number, mix: string]>> = {
  'rare.head-never-falls': [100001, '03333300300330322'],
  'rare.depth-from-first-block': [100022, '03333300300330322'],
  'rare.gone-is-gone': [100022, '03333300300330322'],
  'rare.moved-is-suspect': [100022, '03333300300330322'],
  'rare.replies-from-before-the-outage': [100011, '33000033033003000'],
  'rare.lost-write-counts-twice': [101036, '03300300333000302'],
  'rare.rivals-of-other-keys': [100100, '30033030030000322'],
  'rare.revoked-key-lasts': [100068, '33333033303003000'],
}

const BUILD: StepInput = {
  op: 'build',
  as: 'b',
  key: 'one',
  sender: 'alice',
  body: { from: 'ETH', to: 'USDG', amount: 0.1, slippageBps: 5000 },
}
const SEND: StepInput = { op: 'send', build: 'b', as: 't', change: 'none' }
const REPORT: StepInput = { op: 'confirm', key: 'one', build: 'b', tx: 't' }
/** Coincidences that random scripts hardly meet. */
const WRITTEN: Readonly<Record<string, readonly StepInput[]>> = {
  'rare.last-seconds-after-restart': [
    BUILD,
    { op: 'restart' },
    SEND,
    { op: 'mine-at-deadline', build: 'b', offsetS: -1 },
    { op: 'mine', blocks: 12 },
    REPORT,
  ],
  'rare.second-failed-write-is-final': [
    BUILD,
    SEND,
    { op: 'mine', blocks: 13 },
    { op: 'store-fault', kind: 'down', method: 'recordAttribution', calls: 2 },
    REPORT,
    REPORT,
    REPORT,
  ],
}

let world: World
beforeAll(async () => {
  world = await lentWorld(1)
})
afterAll(() => world.stop())

function scriptOf(id: string): { readonly seed: number; readonly steps: readonly StepInput[] } {
  const [seed, mix] = FOUND_BY[id] ?? [1, null]
  return { seed, steps: WRITTEN[id] ?? generateScript(seed, { mix }).steps }
}

async function run(id: string, seams: (typeof rareDefects)[number]['seams']): Promise<ScriptRun> {
  const script = scriptOf(id)
  await world.reset(script.seed, seams)
  return runScript(historyFamily, world, { ...script, requirement: null })
}

it('are seven that random scripts are known to find, and ten others', () => {
  expect([plantedDefects.length, rareDefects.length]).toEqual([7, 10])
})

it.each(rareDefects.map((each) => [each.id, each] as const))(
  '%s is found, and right otherwise',
  async (id, { seams }) => {
    expect((await run(id, seams)).problem?.status).toBe('fail')
    expect((await run(id, {})).problem).toBeNull()
  },
)
