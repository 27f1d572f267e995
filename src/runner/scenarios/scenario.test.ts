import { Script } from 'node:vm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { StepInput } from '../../simulation/steps/steps.ts'
import { createWorld, type World } from '../../simulation/world/world.ts'
import { inProcessEnvironment } from '../../targets/environment/inProcess.ts'
import { runCase } from '../cases/runCase.ts'
import { runScenario, scenarioCase } from './scenarioCases.ts'
import type { Scenario } from './scenarioFile.ts'

/** A service that needs only four confirmations. */
let hasty: World
beforeAll(async () => {
  hasty = await createWorld({ seed: 1, policy: { confirmations: 4 } })
})
beforeEach(() => hasty.reset(1))
afterAll(() => hasty.stop())

function scenarioWith(...more: readonly StepInput[]): Scenario {
  return {
    id: 'test.scenario',
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

describe('a scenario with a broken service', () => {
  it('fails when a response is not what its step expects', async () => {
    const scenario = scenarioWith({
      op: 'confirm',
      key: 'one',
      build: 'swap',
      tx: 'tx',
      expect: { status: 202 },
    })
    await expect(runScenario(inProcessEnvironment(hasty), scenario)).rejects.toMatchObject({
      name: 'PromiseBrokenError',
      requirement: 'confirm.recorded',
      expected: 'status 202',
      actual: expect.stringContaining('(test.scenario, step 3, confirm)'),
    })
  })

  it('fails by the confirm judge where its steps expect nothing', async () => {
    const scenario = scenarioWith({ op: 'confirm', key: 'one', build: 'swap', tx: 'tx' })
    await expect(runScenario(inProcessEnvironment(hasty), scenario)).rejects.toMatchObject({
      name: 'PromiseBrokenError',
      requirement: 'confirm.depth.twelve',
    })
  })

  it('shows its exchanges as evidence, without the key', async () => {
    const testCase = scenarioCase(scenarioWith({ op: 'confirm', key: 'one', build: 'swap', tx: 'tx' }))
    const { status, failure } = await runCase(testCase, {
      enter: async () => inProcessEnvironment(hasty),
      replay: () => 'npx plumbline run',
    })
    expect(status).toBe('fail')
    expect(failure?.exchanges.at(-1)?.request).toMatchObject({
      path: '/api/v1/swap/confirm',
      headers: { authorization: 'Bearer <redacted>' },
    })
  })
})

describe('a scenario with a fault that is never injected', () => {
  it('is an error of the scenario, not of the service', async () => {
    const scenario = scenarioWith({ op: 'line-fault', kind: 'down', trips: 1 })
    await expect(runScenario(inProcessEnvironment(hasty), scenario)).rejects.toMatchObject({
      name: 'HarnessError',
    })
  })
})

describe('a scenario with a service that reads more than its ports', () => {
  it('stops and names the leak, even when the service swallows it', async () => {
    const filename = new URL('../../service/planted.ts', import.meta.url).pathname
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
    await expect(runScenario(inProcessEnvironment(hasty), scenarioWith())).rejects.toMatchObject({
      name: 'SimulationLeakError',
      caller: 'src/service/planted.ts:1',
    })
    expect(() => leak()).not.toThrow()
    await hasty.reset(1, {})
  })
})
