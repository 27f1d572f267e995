import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Case } from '../src/runner/cases/case.ts'
import type { Defect } from '../src/runner/proof/defect.ts'
import { proveDefects } from '../src/runner/proof/matrix.ts'
import { neededCases } from '../src/runner/proof/needed.ts'
import { createReference, PROOF_SEED, proofWorlds, runAgainst } from '../src/runner/proof/runCase.ts'
import { casesOf, tryDefect } from '../src/runner/proof/trial.ts'
import { lentWorld } from '../src/simulation/testing/lentWorld.ts'
import type { World } from '../src/simulation/world/world.ts'
import { allRequirements, isJudged, isRequirementId } from '../src/spec/requirements/index.ts'
import type { Part, With } from '../src/targets/environment/environment.ts'
import { inProcessEnvironment } from '../src/targets/environment/inProcess.ts'
import { changeRoute } from './defects/helpers/wire.ts'
import { DEFECTS, defectOf as find } from './defects/index.ts'
import { conformanceCases } from './index.ts'
import { VARIANTS } from './variants/index.ts'

const CASES = conformanceCases()
const defectOf = (id: string): Defect => {
  const found = find(id)
  if (found === null) throw new RangeError(`there is no defect ${id}`)
  return found
}

/** Kept for all of the proofs below. */
const worlds = proofWorlds(1)
afterAll(() => worlds.stop())

describe('the defects', () => {
  it('have ids of their own', () => {
    const ids = [...DEFECTS, ...VARIANTS].map(({ id }) => id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it('are at least one for each requirement that can fail', () => {
    const broken = new Set(DEFECTS.map(({ breaks }) => breaks))
    const spared = allRequirements().filter(
      ({ id, level, sameAs }) => isJudged(level) && !broken.has(sameAs ?? id),
    )
    expect(spared.map(({ id }) => id)).toEqual([])
  })

  it('break only what can fail', () => {
    const open = new Set(allRequirements().flatMap(({ id, level }) => (isJudged(level) ? [] : id)))
    const forCases = DEFECTS.filter(({ shownBy }) => shownBy !== 'properties')
    expect(forCases.filter(({ breaks }) => open.has(breaks)).map(({ id }) => id)).toEqual([])
  })
})

describe('the variants', () => {
  it('are many, and say where they differ', () => {
    expect(VARIANTS.length).toBeGreaterThanOrEqual(15)
    for (const { differsIn } of VARIANTS) expect(differsIn.filter((id) => !isRequirementId(id))).toEqual([])
  })
})

describe('a defect', () => {
  let world: World
  beforeAll(async () => {
    world = await lentWorld(PROOF_SEED)
  })
  afterAll(() => world.stop())

  it('of three kinds in one response has each of them named, the malformed field first', async () => {
    const seams = changeRoute((route) => ({
      quoteId: 'one',
      minimumReceived: route.minimumReceived / 2,
      alternatives: [route.alternatives[0], ...route.alternatives.slice(1).reverse()],
    }))
    const [testCase] = CASES.filter(({ id }) => id === 'quote.route.six-venues')
    const { failure } = await runAgainst(world, testCase as Case, seams)
    expect([failure?.requirement, ...(failure?.others ?? []).map(({ requirement }) => requirement)]).toEqual([
      'route.quote-id',
      'route.minimum-received.floor',
      'quote.ranking.after-gas',
    ])
  })

  it.each([
    'route.mid-rate-inverted',
    'ranking.by-output-before-gas',
    'build.never-simulated',
    'memo.key-without-slippage',
    'match.value-not-compared',
    'window.of-the-report',
    'confirm.believes-what-it-saw',
    'report.of-everybody',
  ])('%s is killed by a case of what it breaks', async (id) => {
    const { defect, killedBy } = await tryDefect(world, defectOf(id), casesOf(defectOf(id).breaks, CASES))
    expect(killedBy?.requirements).toContain(defect.breaks)
    expect(CASES.find(({ id: killer }) => killer === killedBy?.case)?.requirements).toContain(defect.breaks)
  })

  it.each([
    ['amounts.through-a-double', 'route.amount-in'],
    ['confirm-races.cached-head', 'confirm.depth.twelve'],
    ['route.amount-out-rounded-to-cents', 'route.amount-out'],
    ['quote.ends-refused.slippageBps', 'quote.slippage.range'],
    ['window.of-the-report', 'confirm.window.late-report'],
    ['build.slippage-end-exclusive', 'build.slippage.range'],
    ['amounts.dust-kept-back', 'route.amount-in'],
  ])('%s is blamed on %s', async (id, clause) => {
    const { killedBy } = await tryDefect(world, defectOf(id), casesOf(defectOf(id).breaks, CASES))
    expect(killedBy?.requirements[0]).toBe(clause)
  })

  it('survives where only another requirement fails', async () => {
    const wrongly: Defect = { ...defectOf('route.mid-rate-inverted'), breaks: 'route.quote-id' }
    const trial = await tryDefect(world, wrongly, casesOf('route.quote-id', CASES).slice(0, 3))
    expect(trial.killedBy).toBeNull()
    expect(trial.collateral.map(({ requirements }) => requirements)).toContainEqual(['route.mid-rate'])
  })

  it('survives where it only makes the cases inconclusive', async () => {
    const silent: Defect = {
      id: 'test.throws',
      title: 'the service is not there',
      breaks: 'confirm.match.sender',
      seams: {
        wire: (service) => ({
          inject: () => Promise.reject(new Error('gone')),
          close: () => service.close(),
        }),
      },
    }
    const trial = await tryDefect(world, silent, casesOf('confirm.match.sender', CASES))
    expect(trial).toMatchObject({ killedBy: null, collateral: [], casesRun: 1 })
    expect(trial.inconclusive[0]?.why).toContain('gone')
  })

  it('leaves nothing behind: the reference passes the case that killed it', async () => {
    const defect = defectOf('match.value-not-compared')
    const { killedBy } = await tryDefect(world, defect, casesOf(defect.breaks, CASES))
    const killer = CASES.find(({ id }) => id === killedBy?.case)
    expect(killer && (await runAgainst(world, killer, {})).status).toBe('pass')
  })
})

describe('the matrix', () => {
  const defects = [defectOf('confirm.pending-404'), defectOf('confirm.unknown-hash-422')]
  const requirements = allRequirements().filter(({ id }) => defects.some(({ breaks }) => breaks === id))

  it('proves what its defects break', async () => {
    const matrix = await proveDefects({ defects, cases: CASES, requirements, worlds })
    expect(matrix).toMatchObject({ survivors: [], unproven: [], unsound: [] })
    expect(matrix.rows.map(({ proven }) => proven)).toEqual([true, true])
  })

  it('names the defects that are blamed on a clause that does not explain them', async () => {
    const wrongly: Defect = { ...defectOf('route.amount-in-net-of-fee'), breaks: 'route.mid-rate' }
    const cases = CASES.filter(({ id }) => id === 'quote.route.market.with-fee')
    const matrix = await proveDefects({ defects: [wrongly], cases, requirements, worlds })
    expect(matrix.misnamed.map(({ killedBy }) => killedBy?.requirements[0])).toEqual(['route.amount-in'])
    const stated = {
      ...wrongly,
      explainedBy: { clause: 'route.amount-in', because: 'a rate has two ends' },
    } as const
    const fixed = await proveDefects({ defects: [stated], cases, requirements, worlds })
    expect(fixed.misnamed).toEqual([])
  })

  it('names what is unproven once the case that proves it is gone', async () => {
    const cases = CASES.filter(({ id }) => id !== 'confirm.not-found')
    const matrix = await proveDefects({ defects, cases, requirements, worlds })
    expect(matrix.unproven).toEqual(['confirm.not-found'])
    expect(matrix.survivors.map(({ defect }) => defect.id)).toEqual(['confirm.unknown-hash-422'])
  })

  it('names the cases that nothing would miss', async () => {
    const depth = CASES.filter(({ id }) => id === 'confirm.depth')
    const notFound = CASES.filter(({ id }) => id === 'confirm.not-found')
    const cases = [...notFound, ...depth, ...depth.map((one) => ({ ...one, id: 'confirm.depth-again' }))]
    const reference = createReference()
    const matrix = await proveDefects({ defects, cases, requirements, reference, worlds })
    expect([...matrix.alone]).toEqual([['confirm.not-found', ['confirm.unknown-hash-422']]])
    const needed = await neededCases({ cases, leftOut: [] }, matrix, reference, worlds)
    expect(needed).toEqual({
      dispensable: [
        { case: 'confirm.depth', coveredBy: ['confirm.depth-again'] },
        { case: 'confirm.depth-again', coveredBy: ['confirm.depth'] },
      ],
      idle: [],
      unasked: [],
    })
  })

  it('names the request that only a case sends which was left out', async () => {
    const isLeftOut = ({ id }: { readonly id: string }) => id === 'quote.refuses.slippageBps.above-5000'
    const leftOut = CASES.filter(isLeftOut)
    const cases = CASES.filter(({ id }) => id === 'quote.refuses.slippageBps.negative')
    const reference = createReference()
    const matrix = await proveDefects({
      defects: [defectOf('quote.clamped.slippageBps')],
      cases,
      requirements: allRequirements().filter(({ id }) => id === 'quote.slippage.range'),
      reference,
      worlds,
    })
    const { dispensable, unasked } = await neededCases({ cases, leftOut }, matrix, reference, worlds)
    expect(dispensable).toEqual([])
    expect(unasked).toContainEqual({
      case: 'quote.refuses.slippageBps.above-5000',
      requirement: 'quote.slippage.range',
      request: 'GET /api/v1/quote key one amount=1234.56&from=USDG&slippageBps=5001&to=DUSD',
    })
  })

  it('names a requirement that no defect breaks', async () => {
    const matrix = await proveDefects({
      defects: defects.slice(0, 1),
      cases: CASES,
      requirements,
      worlds,
    })
    expect(matrix.unproven).toEqual(['confirm.not-found'])
  })

  it('counts no kill of a case that fails on the reference too', async () => {
    const [sound] = casesOf('confirm.pending', CASES)
    if (sound === undefined) throw new RangeError('nothing checks confirm.pending')
    const always = { ...sound, run: (environment: With<Part>) => sound.run(brokenAgain(environment)) }
    const matrix = await proveDefects({
      defects: defects.slice(0, 1),
      cases: [always],
      requirements: requirements.slice(0, 1),
      worlds,
    })
    expect(matrix.unsound.map((one) => one.case)).toEqual([sound.id])
    expect(matrix.unproven).toEqual(['confirm.pending'])
  })
})

// Last, since the world in which a job failed is not used again.
it('a job that fails ends a proof with what it threw, and no further one is begun', async () => {
  const begun: number[] = []
  const failing = worlds.each([1, 2, 3], async (_world, job) => {
    begun.push(job)
    throw new Error(`job ${job} failed`)
  })
  await expect(failing).rejects.toThrow('job 1 failed')
  expect(begun).toEqual([1])
})

/** Returns the environment with a service that the case itself breaks, whatever it runs against. */
function brokenAgain(environment: With<Part>): With<Part> {
  const { wire } = defectOf('confirm.pending-404').seams
  const world = new Proxy(environment.inside.world, {
    get: (target, name) =>
      name === 'app' && wire !== undefined
        ? wire(target.app, {} as never)
        : Reflect.get(target, name, target),
  })
  return inProcessEnvironment(world)
}
