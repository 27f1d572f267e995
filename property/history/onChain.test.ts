import { describe, expect, it } from 'vitest'
import { DEFECTS } from '../../conformance/defects/index.ts'
import { runFamily } from '../../src/runner/families/runFamily.ts'
import { canRunOverHttp } from '../../src/runner/scenarios/runScenarioSteps.ts'
import type { ServiceSeams } from '../../src/service/testing.ts'
import { generateScript } from '../../src/simulation/script/randomScript.ts'
import { useWorld } from '../../src/simulation/testing/lentWorld.ts'
import type { SwapClient } from '../../src/targets/environment/client.ts'
import { type Environment, withParts } from '../../src/targets/environment/environment.ts'
import { inProcessEnvironment } from '../../src/targets/environment/inProcess.ts'
import { TargetSilentError } from '../../src/targets/errors.ts'
import { chainHistories } from './onChain.ts'

/** The depth of the largest reorganisation that a node supports. */
const REORG_DEPTH_MAX = 128

describe('scripts on the chain alone', () => {
  const scripts = Array.from({ length: 300 }, (_, seed) => generateScript(seed, { onChain: true }).steps)

  it('hold nothing that happens inside the service, or that is waited for', () => {
    for (const steps of scripts) expect(canRunOverHttp(steps)).toBe(true)
  })

  it('are short enough to be taken back, and jump to the end of a window once', () => {
    for (const steps of scripts) {
      const blocks = steps.map((step) => {
        if (step.op === 'mine') return step.blocks ?? 1
        if (step.op === 'reorg') return (step.blocks ?? step.depth) - step.depth
        return step.op === 'heal' ? 2 : ['mine-at-deadline', 'fault', 'move-pool'].includes(step.op) ? 1 : 0
      })
      expect(blocks.reduce((sum, more) => sum + more, 0)).toBeLessThan(REORG_DEPTH_MAX - 2)
      expect(steps.filter(({ op }) => op === 'mine-at-deadline').length).toBeLessThanOrEqual(1)
    }
  })

  it('reorganise, replace, race and jump', () => {
    const ops = new Set(scripts.flatMap((steps) => steps.map(({ op }) => op)))
    for (const op of ['reorg', 'replace', 'cancel', 'race', 'mine-at-deadline', 'fault'])
      expect(ops).toContain(op)
  })
})

describe('histories of a service that is only asked', () => {
  const world = useWorld(1)

  const brokenBy = async (seams: ServiceSeams, changes: Partial<Environment> = {}) => {
    const whole = inProcessEnvironment(world, { seed: 1, seams })
    const outside: Environment = Object.create(whole, {
      inside: { value: null },
      fresh: { value: async () => whole.fresh().then(() => outside) },
      ...Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, { value }])),
    })
    const environment = withParts(outside, ['control', 'fresh'])
    const { properties } = await runFamily(chainHistories, environment, {
      seed: 1,
      budget: 'quick',
      shrink: false,
    })
    return properties.filter(({ counterexample }) => counterexample !== null).map(({ id }) => id)
  }

  it('end with the silence of a service that does not respond, and blame no judge', async () => {
    const silent = new TargetSilentError('http://127.0.0.1:1/', 'the connection failed')
    const client = { send: () => Promise.reject(silent) } as unknown as SwapClient
    await expect(brokenBy({}, { clientWithSecret: () => client })).rejects.toBe(silent)
  })

  it('break no promise where the service is right', async () => {
    expect(await brokenBy({})).toEqual([])
  })

  it.each([
    ['confirm.first-block-is-enough', ['every-answer-is-right', 'credited-only-when-due']],
    ['confirm.six-are-enough', ['every-answer-is-right', 'credited-only-when-due']],
    ['confirm-races.cached-head', ['every-answer-is-right']],
    ['confirm.repeat-409', ['every-answer-is-right']],
  ])('find the service that is wrong by %s', async (id, properties) => {
    const defect = DEFECTS.find((each) => each.id === id)
    expect(await brokenBy(defect?.seams ?? {})).toEqual(properties.map((each) => `chain-history.${each}`))
  })
})
