import { describe, expect, it } from 'vitest'
import { DEFECTS } from '../conformance/defects/index.ts'
import { VARIANTS } from '../conformance/variants/index.ts'
import { type CaseResult, runCase } from '../src/runner/cases/runCase.ts'
import { planCases } from '../src/runner/plan/plan.ts'
import { scenarioCases } from '../src/runner/scenarios/scenarioCases.ts'
import { namedScenarios } from '../src/runner/scenarios/scenarioFolder.ts'
import type { ServiceSeams } from '../src/service/testing.ts'
import { useWorld } from '../src/simulation/testing/lentWorld.ts'
import type { Environment } from '../src/targets/environment/environment.ts'
import { inProcessEnvironment } from '../src/targets/environment/inProcess.ts'
import { EVERY_CAPABILITY } from '../src/targets/scope.ts'

const SEED = 1
const CASES = scenarioCases()
/** Scenarios that run against a service over HTTP. */
const OVER_HTTP = new Set(
  planCases(CASES, {
    reach: 'sandbox',
    capabilities: EVERY_CAPABILITY,
    parts: new Set(['control', 'legacyKey'] as const),
  }).flatMap(({ testCase, notApplicable }) => (notApplicable === null ? [testCase.id] : [])),
)

const world = useWorld(SEED)

/** Runs a scenario against a service in this process as if it were an external one, over HTTP only, where that is enough. */
async function run(id: string, seams: ServiceSeams = {}): Promise<CaseResult> {
  const testCase = CASES.find((each) => each.id === id)
  if (testCase === undefined) throw new RangeError(`there is no ${id}`)
  const whole = inProcessEnvironment(world, { seed: SEED, seams })
  const outside: Environment = Object.create(whole, { inside: { value: null } })
  return runCase(testCase, {
    enter: async () => {
      await whole.fresh()
      return OVER_HTTP.has(id) ? outside : whole
    },
    replay: () => id,
  })
}
const seamsOf = (all: readonly { readonly id: string; readonly seams: ServiceSeams }[], id: string) => {
  const found = all.find((each) => each.id === id)
  if (found === undefined) throw new RangeError(`there is no ${id}`)
  return found.seams
}

describe('scenarios', () => {
  // golden.test.ts compares each run with the committed recordings, to the byte.
  it.each(CASES)('$id: passes', async ({ id }) => {
    expect(await run(id)).toMatchObject({ status: 'pass', failure: null })
  })

  it('have names of their own and are plain data', () => {
    const ids = namedScenarios().map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(JSON.parse(JSON.stringify(namedScenarios()))).toEqual(namedScenarios())
  })
})

describe('scenarios against a service over HTTP', () => {
  it('are those that need only the chain', () => {
    expect(OVER_HTTP.size).toBeGreaterThanOrEqual(45)
    const families = new Set([...OVER_HTTP].map((id) => id.split('.')[1]))
    for (const family of ['reorg', 'replacement', 'window']) expect(families).toContain(family)
  })

  it.each([
    ['window.not-looked-at', 'scenario.window.one-second-after-end'],
    ['confirm-races.cached-head', 'scenario.reorg.moves-to-later-block'],
    ['match.target-not-compared', 'scenario.replacement.changed-target'],
    ['match.inside-a-batch', 'scenario.hashes.batched'],
    ['confirm-races.replaced-by-nonce', 'scenario.replacement.higher-fee'],
  ] as const)('find the defect %s: %s', async (defect, id) => {
    const result = await run(id, seamsOf(DEFECTS, defect))
    expect(result).toMatchObject({ status: 'fail' })
    expect(result.failure?.exchanges.at(-1)?.request.path).toBe('/api/v1/swap/confirm')
  })

  it.each([
    ['variant.fee-transfer-unattributed', 'scenario.hashes.fee-transfer-skipped', 'observed'],
    ['variant.fee-paid-by-the-swap', 'scenario.hashes.fee-transfer-reported', 'not-applicable'],
    ['variant.fee-paid-by-the-swap', 'scenario.hashes.fee-transfer-skipped', 'pass'],
    ['variant.approvals-only', 'scenario.hashes.permit-reported', 'not-applicable'],
    ['variant.hex-in-upper-case', 'scenario.hashes.permit-reported', 'pass'],
    ['variant.recorded-in-its-block', 'scenario.reorg.returns-in-another-block', 'pass'],
  ] as const)('do not blame what the specification allows, %s: %s is %s', async (variant, id, status) => {
    expect(await run(id, seamsOf(VARIANTS, variant))).toMatchObject({ status })
  })

  it('are inconclusive where a build fails, and blame the service', async () => {
    const result = await run('scenario.window.at-the-end', {
      domain: (domain) => ({
        ...domain,
        builder: { build: () => Promise.reject(new TypeError('no build today')) },
      }),
    })
    expect(result).toMatchObject({
      status: 'inconclusive',
      failure: { blame: 'target', message: expect.stringContaining('expected status 200, actual 500') },
    })
  })
})
