import { describe, expect, it } from 'vitest'
import type { Case } from '../src/runner/cases/case.ts'
import { runCases } from '../src/runner/cases/runCases.ts'
import { planCases } from '../src/runner/plan/plan.ts'
import type { Defect } from '../src/runner/proof/defect.ts'
import { eachKill } from '../src/runner/proof/kills.ts'
import { prove } from '../src/runner/proof/prove.ts'
import { PROOF_SEED, runOn } from '../src/runner/proof/service.ts'
import { type ProofRequest, proofSuite } from '../src/runner/proof/suite.ts'
import { casesOf, tryDefect } from '../src/runner/proof/trial.ts'
import { scenarioCases } from '../src/runner/scenarios/scenarioCases.ts'
import { useWorld } from '../src/simulation/testing/lentWorld.ts'
import { allRequirements, isJudged, isRequirementId } from '../src/spec/requirements/index.ts'
import type { Part, With } from '../src/targets/environment/environment.ts'
import { inProcessEnvironment, inProcessTarget } from '../src/targets/environment/inProcess.ts'
import { laneOf } from '../src/targets/environment/lane.ts'
import { referenceScope } from '../src/targets/scope.ts'
import { referenceFacts } from '../src/targets/starting/reference.ts'
import { casesForClients } from './client/index.ts'
import { changeRoute } from './defects/helpers/wire.ts'
import { DEFECTS, defectOf as find } from './defects/index.ts'
import { conformanceCases } from './index.ts'
import { KILLS } from './kills.ts'
import { VARIANTS } from './variants/index.ts'

const CASES = conformanceCases()
const defectOf = (id: string): Defect => {
  const found = find(id)
  if (found === null) throw new RangeError(`there is no defect ${id}`)
  return found
}

/** One world for all proofs of this file. */
const world = useWorld(PROOF_SEED)

const NOTHING: ProofRequest = {
  ...{ defects: [], requirements: [], cases: [], leftOut: [], scenarios: [], variants: [], drawn: [] },
  ...{ isWhole: false, full: false, known: {} },
  properties: { of: { expectedKills: {}, falsified: async () => new Set() }, defects: [] },
}

function proofOf(part: Partial<ProofRequest>) {
  const request = { ...NOTHING, ...part }
  const session = {
    ...referenceFacts('sandbox'),
    lanes: [laneOf(inProcessTarget(world))],
    keep: () => Promise.reject(new Error('nothing is kept')),
    end: async () => {},
  }
  return prove(request, (further) => {
    const planned = planCases(proofSuite(request, further).cases(null), referenceScope('sandbox'))
    return runCases(session, planned, { replay: () => '' })
  })
}

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

describe('the known kills', () => {
  it('name cases and defects that there are', () => {
    const cases = new Set([...CASES, ...casesForClients(), ...scenarioCases()].map(({ id }) => id))
    const unknown = eachKill(KILLS).filter(([id, defect]) => !cases.has(id) || find(defect) === null)
    expect(unknown).toEqual([])
  })
})

describe('the variants', () => {
  it('are many, and say where they differ', () => {
    expect(VARIANTS.length).toBeGreaterThanOrEqual(15)
    for (const { differsIn } of VARIANTS) expect(differsIn.filter((id) => !isRequirementId(id))).toEqual([])
  })
})

describe('a defect', () => {
  it('of three kinds in one response has each of them named, the malformed field first', async () => {
    const seams = changeRoute((route) => ({
      quoteId: 'one',
      minimumReceived: route.minimumReceived / 2,
      alternatives: [route.alternatives[0], ...route.alternatives.slice(1).reverse()],
    }))
    const [testCase] = CASES.filter(({ id }) => id === 'quote.route.six-venues')
    const { failure } = (await runOn(world, { seams }, testCase as Case)).result
    expect([failure?.requirement, ...(failure?.others ?? []).map(({ requirement }) => requirement)]).toEqual([
      'route.quote-id',
      'route.minimum-received.floor',
      'quote.ranking.after-gas',
    ])
  })

  it.each([
    'route.mid-rate-inverted',
    'build.never-simulated',
    'memo.key-without-slippage',
    'match.value-not-compared',
    'window.of-the-report',
    'confirm.believes-what-it-saw',
    'report.of-everybody',
  ])('%s is killed by a case of what it breaks', async (id) => {
    const defect = defectOf(id)
    const { killedBy } = await tryDefect(world, defect, casesOf(defect.breaks, CASES))
    expect(killedBy?.requirements).toContain(defect.breaks)
    expect(CASES.find(({ id: killer }) => killer === killedBy?.case)?.requirements).toContain(defect.breaks)
  })

  it.each([
    ['amounts.through-a-double', 'route.amount-in'],
    ['confirm-races.cached-head', 'confirm.recorded'],
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
    expect(killer && (await runOn(world, { seams: {} }, killer)).result.status).toBe('pass')
  })
})

describe('the matrix', () => {
  const defects = [defectOf('confirm.pending-404'), defectOf('confirm.unknown-hash-422')]
  const requirements = allRequirements().filter(({ id }) => defects.some(({ breaks }) => breaks === id))

  it('proves what its defects break', async () => {
    const proof = await proofOf({ defects, cases: CASES, requirements })
    expect(proof).toMatchObject({ survivors: [], unproven: [], unsound: [] })
    expect(proof.requirements.map(({ proven }) => proven)).toEqual([true, true])
  })

  it('names the defects that are blamed on a clause that does not explain them', async () => {
    const wrongly: Defect = { ...defectOf('route.amount-in-net-of-fee'), breaks: 'route.mid-rate' }
    const cases = CASES.filter(({ id }) => id === 'quote.route.market.with-fee')
    const proof = await proofOf({ defects: [wrongly], cases })
    expect(proof.misnamed.map(({ named }) => named)).toEqual(['route.amount-in'])
    const stated = {
      ...wrongly,
      explainedBy: { clause: 'route.amount-in', because: 'a rate has two ends' },
    } as const
    expect((await proofOf({ defects: [stated], cases })).misnamed).toEqual([])
  })

  it('names what is unproven once the cases that prove it are gone', async () => {
    const cases = CASES.filter(({ id }) => !/^confirm\.(?:not-found|walk\.\d)$/.test(id))
    const { unproven, survivors } = await proofOf({ defects, cases, requirements })
    expect(unproven).toEqual(['confirm.not-found'])
    expect(survivors).toEqual(['confirm.unknown-hash-422'])
  })

  it('names the cases that nothing would miss', async () => {
    const depth = CASES.filter(({ id }) => id === 'confirm.depth')
    const notFound = CASES.filter(({ id }) => id === 'confirm.not-found')
    const cases = [...notFound, ...depth, ...depth.map((one) => ({ ...one, id: 'confirm.depth-again' }))]
    expect(await proofOf({ defects, cases, requirements, isWhole: true })).toMatchObject({
      dispensable: [
        { case: 'confirm.depth', coveredBy: ['confirm.depth-again'] },
        { case: 'confirm.depth-again', coveredBy: ['confirm.depth'] },
      ],
      idle: [],
      unasked: [],
    })
  })

  it('needs a case that asks what others ask, and alone kills a defect', async () => {
    const [one] = CASES.filter(({ id }) => id === 'confirm.not-found')
    if (one === undefined) throw new RangeError('there is no confirm.not-found')
    const run = (environment: With<Part>) => one.run(environment).catch(() => ({ exercised: 1 }))
    const cases = [{ ...one, id: 'confirm.not-found-blind', run }, one]
    expect(await proofOf({ defects, cases, requirements, isWhole: true })).toMatchObject({
      kills: { 'confirm.not-found': ['confirm.unknown-hash-422'] },
      alone: { 'confirm.not-found': ['confirm.unknown-hash-422'] },
      dispensable: [{ case: 'confirm.not-found-blind', coveredBy: ['confirm.not-found'] }],
      idle: ['confirm.not-found-blind'],
    })
  })

  it('begins with what is known to kill, and says where that is outdated', async () => {
    const known = {
      'confirm.not-found': ['confirm.unknown-hash-422'],
      'confirm.depth': ['confirm.unknown-hash-422'],
      'quote.left.out': ['confirm.unknown-hash-422'],
    }
    const { requirements: rows, outdated } = await proofOf({ defects: defects.slice(1), cases: CASES, known })
    expect(outdated).toEqual([['confirm.depth', 'confirm.unknown-hash-422']])
    expect(rows[0]?.defects[0]).toMatchObject({ killedBy: { case: 'confirm.not-found' }, casesRun: 1 })
  })

  it('names a case that no defect makes fail', async () => {
    const cases = CASES.filter(({ id }) =>
      ['confirm.not-found', 'build.minimum.venue_a.erc20.slippage-0'].includes(id),
    )
    const { idle } = await proofOf({ defects, cases, requirements, isWhole: true })
    expect(idle).toEqual(cases.map(({ id }) => id).filter((id) => id !== 'confirm.not-found'))
  })

  it('names the request that only a case sends which was left out', async () => {
    const isLeftOut = ({ id }: { readonly id: string }) => id === 'quote.refuses.slippageBps.above-5000'
    const { dispensable, unasked } = await proofOf({
      defects: [defectOf('quote.clamped.slippageBps')],
      cases: CASES.filter(({ id }) => id === 'quote.refuses.slippageBps.negative'),
      leftOut: CASES.filter(isLeftOut),
      requirements: allRequirements().filter(({ id }) => id === 'quote.slippage.range'),
      isWhole: true,
    })
    expect(dispensable).toEqual([])
    expect(unasked).toContainEqual({
      case: 'quote.refuses.slippageBps.above-5000',
      requirement: 'quote.slippage.range',
      request: 'GET /api/v1/quote key one amount=1234.56&from=USDG&slippageBps=5001&to=DUSD',
    })
  })

  it('names a requirement that no defect breaks', async () => {
    const { unproven } = await proofOf({ defects: defects.slice(0, 1), cases: CASES, requirements })
    expect(unproven).toEqual(['confirm.not-found'])
  })

  it('counts no kill of a case that fails on the reference too', async () => {
    const [sound] = casesOf('confirm.pending', CASES)
    if (sound === undefined) throw new RangeError('nothing checks confirm.pending')
    const always = { ...sound, run: (environment: With<Part>) => sound.run(brokenAgain(environment)) }
    const { unsound, unproven } = await proofOf({ defects: defects.slice(0, 1), cases: [always] })
    expect(unsound.map((one) => one.case)).toEqual([sound.id])
    expect(unproven).toEqual(['confirm.pending'])
  })

  it('is not made where a part of it cannot be run', async () => {
    const falsified = () => Promise.reject(new Error('the world is gone'))
    const expectedKills = { 'a.property': ['confirm.pending-404'] }
    const properties = { of: { expectedKills, falsified }, defects }
    await expect(proofOf({ properties })).rejects.toThrow(
      'properties: confirm.pending-404 could not be run: Error: the world is gone',
    )
  })
})

/** Returns the environment with a service that the case itself breaks, regardless of the defect under test. */
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
