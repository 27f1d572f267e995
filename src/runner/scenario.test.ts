import { Script } from 'node:vm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { StepInput } from '../simulation/steps.ts'
import { createWorld, type World } from '../simulation/world.ts'
import { transcriptOf } from '../targets/inProcess.ts'
import { scenarioCheck, tellScenario } from './scenario.ts'
import type { Scenario } from './scenarioFile.ts'
import { runChecks } from './suite.ts'

/** A service that is content with four confirmations. */
let hasty: World
beforeAll(async () => {
  hasty = await createWorld({ seed: 1, policy: { confirmations: 4 } })
})
beforeEach(() => hasty.reset(1))
afterAll(() => hasty.stop())

function storyOf(...more: readonly StepInput[]): Scenario {
  return {
    id: 'test.story',
    description: 'One swap, reported when it is five blocks deep.',
    requirements: ['confirm.recorded'],
    steps: [
      {
        op: 'build',
        as: 'swap',
        key: 'one',
        sender: 'alice',
        body: { from: 'ETH', to: 'USDG', amount: 0.5 },
      },
      { op: 'send', build: 'swap', as: 'tx' },
      { op: 'mine', blocks: 5 },
      ...more,
    ],
  }
}

describe('a story told to a broken service', () => {
  it('fails by what its steps expect', async () => {
    const story = storyOf({ op: 'confirm', key: 'one', build: 'swap', tx: 'tx', expect: { status: 202 } })
    await expect(tellScenario(hasty, story)).rejects.toMatchObject({
      name: 'PromiseBrokenError',
      requirement: 'confirm.recorded',
      expected: 'status 202',
      seen: expect.stringContaining('(test.story, step 3, confirm)'),
    })
  })

  it('fails by the judge of confirm where its steps expect nothing', async () => {
    const story = storyOf({ op: 'confirm', key: 'one', build: 'swap', tx: 'tx' })
    await expect(tellScenario(hasty, story)).rejects.toMatchObject({
      name: 'PromiseBrokenError',
      requirement: 'confirm.depth.twelve',
    })
  })

  it('shows its exchanges as evidence, without the key', async () => {
    const check = scenarioCheck(storyOf({ op: 'confirm', key: 'one', build: 'swap', tx: 'tx' }), 1)
    const [result] = await runChecks([check], {
      enter: async () => hasty,
      replay: () => 'npx plumbline run',
      transcript: transcriptOf,
    })
    expect(result?.status).toBe('fail')
    expect(result?.failure?.exchanges.at(-1)?.request).toMatchObject({
      path: '/api/v1/swap/confirm',
      headers: { authorization: 'Bearer <redacted>' },
    })
  })
})

describe('a story that does not happen', () => {
  it('is the harness’s fault', async () => {
    const story = storyOf({ op: 'line-fault', kind: 'down', trips: 1 })
    await expect(tellScenario(hasty, story)).rejects.toMatchObject({ name: 'StoryDidNotHappenError' })
  })
})

describe('a story of a service that reads more than its ports', () => {
  it('breaks off and names the leak, even when the service swallows it', async () => {
    const filename = new URL('../service/planted.ts', import.meta.url).pathname
    const leak = new Script('() => { try { Date() } catch {} }', { filename }).runInThisContext()
    await hasty.reset(1, {
      deps: (deps) => ({
        ...deps,
        clock: {
          ...deps.clock,
          nowMs: () => {
            leak()
            return deps.clock.nowMs()
          },
        },
      }),
    })
    await expect(tellScenario(hasty, storyOf())).rejects.toMatchObject({
      name: 'SimulationLeakError',
      caller: 'src/service/planted.ts:1',
    })
    expect(() => leak()).not.toThrow()
    await hasty.reset(1, {})
  })
})
