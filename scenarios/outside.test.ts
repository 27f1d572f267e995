import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFECTS } from '../conformance/defects/index.ts'
import { VARIANTS } from '../conformance/variants/index.ts'
import { type CaseResult, runCase } from '../src/runner/cases/runCase.ts'
import { planCases } from '../src/runner/plan/plan.ts'
import { scenarioCases } from '../src/runner/scenarios/scenarioCases.ts'
import type { ServiceSeams } from '../src/service/testing.ts'
import { lentWorld } from '../src/simulation/testing/lentWorld.ts'
import type { World } from '../src/simulation/world/world.ts'
import type { Environment } from '../src/targets/environment/environment.ts'
import { inProcessEnvironment } from '../src/targets/environment/inProcess.ts'
import { EVERY_CAPABILITY } from '../src/targets/scope.ts'

const SEED = 1
/** Scenarios that run against a service over HTTP. */
const OVER_HTTP = planCases(scenarioCases(), {
  reach: 'sandbox',
  capabilities: EVERY_CAPABILITY,
  parts: new Set(['control', 'legacyKey'] as const),
}).flatMap(({ testCase, notApplicable }) => (notApplicable === null ? [testCase] : []))

let world: World
beforeAll(async () => {
  world = await lentWorld(SEED)
})
afterAll(() => world.stop())

/** Runs scenarios against a service in this process as if it were an external one: over HTTP only. */
async function runAll(ids: readonly string[], seams: ServiceSeams): Promise<readonly CaseResult[]> {
  const cases = OVER_HTTP.filter(({ id }) => ids.includes(id))
  expect(cases).toHaveLength(ids.length)
  const whole = inProcessEnvironment(world, { seed: SEED, seams })
  const outside: Environment = Object.create(whole, { inside: { value: null } })
  const results: CaseResult[] = []
  for (const testCase of cases) {
    const result = await runCase(testCase, {
      enter: async () => {
        await whole.fresh()
        return outside
      },
      replay: ({ id }) => id,
    })
    results.push(result)
  }
  return results
}
const seamsOf = (all: readonly { readonly id: string; readonly seams: ServiceSeams }[], id: string) => {
  const found = all.find((each) => each.id === id)
  if (found === undefined) throw new RangeError(`there is no ${id}`)
  return found.seams
}

describe('scenarios against a service over HTTP', () => {
  it('are those that need only the chain, and every one passes against the reference', async () => {
    const ids = OVER_HTTP.map(({ id }) => id)
    expect(ids.length).toBeGreaterThanOrEqual(45)
    const families = new Set(ids.map((id) => id.split('.')[1]))
    for (const family of ['reorg', 'replacement', 'window']) expect(families).toContain(family)
    const results = await runAll(ids, {})
    expect(results.filter(({ status }) => status !== 'pass').map(({ id, failure }) => [id, failure])).toEqual(
      [],
    )
  })

  it.each([
    ['window.not-looked-at', 'scenario.window.one-second-after-end'],
    ['confirm-races.cached-head', 'scenario.reorg.moves-to-later-block'],
    ['match.target-not-compared', 'scenario.replacement.changed-target'],
    ['match.inside-a-batch', 'scenario.hashes.batched'],
    ['confirm-races.replaced-by-nonce', 'scenario.replacement.higher-fee'],
  ] as const)('find the defect %s: %s', async (defect, id) => {
    const [result] = await runAll([id], seamsOf(DEFECTS, defect))
    expect(result).toMatchObject({ status: 'fail' })
    expect(result?.failure?.exchanges.at(-1)?.request.path).toBe('/api/v1/swap/confirm')
  })

  it('do not demand what the reference chooses: a build of two transactions may lack attribution', async () => {
    const [result] = await runAll(
      ['scenario.hashes.fee-transfer-skipped'],
      seamsOf(VARIANTS, 'variant.fee-transfer-unattributed'),
    )
    expect(result).toMatchObject({ status: 'observed' })
  })

  it.each([
    ['variant.fee-paid-by-the-swap', 'scenario.hashes.fee-transfer-reported', 'not-applicable'],
    ['variant.fee-paid-by-the-swap', 'scenario.hashes.fee-transfer-skipped', 'pass'],
    ['variant.approvals-only', 'scenario.hashes.permit-reported', 'not-applicable'],
    ['variant.recorded-in-its-block', 'scenario.reorg.returns-in-another-block', 'pass'],
  ] as const)('do not blame what the specification allows, %s: %s is %s', async (variant, id, status) => {
    const [result] = await runAll([id], seamsOf(VARIANTS, variant))
    expect(result).toMatchObject({ status })
  })

  it('accept hexadecimal in upper case', async () => {
    const [result] = await runAll(
      ['scenario.hashes.permit-reported'],
      seamsOf(VARIANTS, 'variant.hex-in-upper-case'),
    )
    expect(result).toMatchObject({ status: 'pass' })
  })

  it('are inconclusive where a build fails, and blame the service', async () => {
    const [result] = await runAll(['scenario.window.at-the-end'], {
      domain: (domain) => ({
        ...domain,
        builder: {
          build: async () => {
            throw new TypeError('no build today')
          },
        },
      }),
    })
    expect(result).toMatchObject({
      status: 'inconclusive',
      failure: { blame: 'target', message: expect.stringContaining('expected status 200, actual 500') },
    })
  })
})
