import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type World } from '../../src/simulation/world.ts'
import { allRequirements, isRequirementId } from '../../src/spec/requirements/index.ts'
import type { Defect } from '../defects/defect.ts'
import { DEFECTS } from '../defects/index.ts'
import { conformanceChecks } from '../index.ts'
import { VARIANTS } from '../variants/index.ts'
import { proveDefects } from './matrix.ts'
import { checksOf, tryDefect } from './prove.ts'
import { createReference, PROOF_SEED, putCheck } from './put.ts'

const CHECKS = conformanceChecks()
const defectOf = (id: string): Defect => {
  const found = DEFECTS.find((defect) => defect.id === id)
  if (found === undefined) throw new RangeError(`there is no defect ${id}`)
  return found
}

describe('the defects', () => {
  it('have ids of their own', () => {
    const ids = [...DEFECTS, ...VARIANTS].map(({ id }) => id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it('are at least one for each requirement that can fail', () => {
    const broken = new Set(DEFECTS.map(({ breaks }) => breaks))
    const spared = allRequirements().filter(({ id, level }) => level === 'must' && !broken.has(id))
    expect(spared.map(({ id }) => id)).toEqual([])
  })

  it('break only what can fail', () => {
    const levels = new Map(allRequirements().map(({ id, level }) => [id, level]))
    expect(DEFECTS.filter(({ breaks }) => levels.get(breaks) !== 'must').map(({ id }) => id)).toEqual([])
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
    world = await createWorld({ seed: PROOF_SEED })
  })
  afterAll(() => world.stop())

  it.each([
    'route.mid-rate-inverted',
    'ranking.by-output-before-gas',
    'build.never-simulated',
    'memo.key-without-slippage',
    'match.value-not-compared',
    'window.of-the-report',
    'confirm.believes-what-it-saw',
    'report.of-everybody',
  ])('%s is caught by a check of what it breaks', async (id) => {
    const { defect, killedBy } = await tryDefect(world, defectOf(id), checksOf(defectOf(id).breaks, CHECKS))
    expect(killedBy?.requirements).toContain(defect.breaks)
    expect(CHECKS.find(({ id: check }) => check === killedBy?.check)?.requirements).toContain(defect.breaks)
  })

  it('survives where its mistake is seen under another promise only', async () => {
    const wrongly: Defect = { ...defectOf('route.mid-rate-inverted'), breaks: 'route.quote-id' }
    const trial = await tryDefect(world, wrongly, checksOf('route.quote-id', CHECKS).slice(0, 3))
    expect(trial.killedBy).toBeNull()
    expect(trial.collateral.map(({ requirements }) => requirements)).toContainEqual(['route.mid-rate'])
  })

  it('survives where it only keeps the checks from being put', async () => {
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
    const trial = await tryDefect(world, silent, checksOf('confirm.match.sender', CHECKS))
    expect(trial).toMatchObject({ killedBy: null, collateral: [], tried: 1 })
    expect(trial.unput[0]?.why).toContain('gone')
  })

  it('that only some requests can meet is the reference to all others', async () => {
    const reference = createReference()
    const defect = defectOf('narrow.quote.takes.slippageBps.above-5000')
    const checks = checksOf(defect.breaks, CHECKS)
    const trial = await tryDefect(world, defect, checks, { reference, kills: Number.POSITIVE_INFINITY })
    expect(trial).toMatchObject({ alsoKilledBy: [], tried: 1, unmet: checks.length - 1 })
    expect(trial.killedBy?.check).toBe('quote.refuses.slippageBps.above-5000')
    // Nor would those that were not put have found anything.
    const all = await tryDefect(world, defect, checks, { kills: Number.POSITIVE_INFINITY })
    expect(all).toMatchObject({ alsoKilledBy: [], collateral: [], unput: [], tried: checks.length })
  })

  it('leaves nothing behind: the reference passes the check that caught it', async () => {
    const defect = defectOf('match.value-not-compared')
    const { killedBy } = await tryDefect(world, defect, checksOf(defect.breaks, CHECKS))
    const check = CHECKS.find(({ id }) => id === killedBy?.check)
    expect(check && (await putCheck(world, check, {})).status).toBe('pass')
  })
})

describe('the matrix', () => {
  const defects = [defectOf('confirm.pending-404'), defectOf('confirm.unknown-hash-422')]
  const requirements = allRequirements().filter(({ id }) => defects.some(({ breaks }) => breaks === id))

  it('proves what its defects break', async () => {
    const matrix = await proveDefects({ defects, cases: CHECKS, requirements, worlds: 1 })
    expect(matrix).toMatchObject({ survivors: [], unproven: [], unsound: [] })
    expect(matrix.rows.map(({ proven }) => proven)).toEqual([true, true])
  })

  it('names what is unproven once the check that proves it is gone', async () => {
    const checks = CHECKS.filter(({ id }) => id !== 'confirm.not-found')
    const matrix = await proveDefects({ defects, cases: checks, requirements, worlds: 1 })
    expect(matrix.unproven).toEqual(['confirm.not-found'])
    expect(matrix.survivors.map(({ defect }) => defect.id)).toEqual(['confirm.unknown-hash-422'])
  })

  it('names a case that nothing would miss, and the defect that one alone catches', async () => {
    const cases = CHECKS.filter(({ id }) => id === 'confirm.not-found' || id === 'confirm.depth')
    const twice = cases.flatMap((check) =>
      check.id === 'confirm.depth' ? [check, { ...check, id: 'confirm.depth-again' }] : [check],
    )
    const matrix = await proveDefects({ defects, cases: twice, requirements, worlds: 1 })
    expect(matrix.dispensable).toEqual(['confirm.depth', 'confirm.depth-again'])
    expect([...matrix.alone]).toEqual([['confirm.not-found', ['confirm.unknown-hash-422']]])
  })

  it('names a requirement that no defect breaks', async () => {
    const matrix = await proveDefects({
      defects: defects.slice(0, 1),
      cases: CHECKS,
      requirements,
      worlds: 1,
    })
    expect(matrix.unproven).toEqual(['confirm.not-found'])
  })

  it('counts no kill of a check that fails on the reference too', async () => {
    const [sound] = checksOf('confirm.pending', CHECKS)
    if (sound === undefined) throw new RangeError('nothing checks confirm.pending')
    const always = { ...sound, run: (world: World) => sound.run(brokenAgain(world)) }
    const matrix = await proveDefects({
      defects: defects.slice(0, 1),
      cases: [always],
      requirements: requirements.slice(0, 1),
      worlds: 1,
    })
    expect(matrix.unsound.map(({ check }) => check)).toEqual([sound.id])
    expect(matrix.unproven).toEqual(['confirm.pending'])
  })
})

/** The world with a service that the check itself breaks, whoever was asked for. */
function brokenAgain(world: World): World {
  const [defect] = [defectOf('confirm.pending-404')]
  const { wire } = defect.seams
  return new Proxy(world, {
    get: (target, name) => {
      if (name !== 'app' || wire === undefined) return Reflect.get(target, name, target)
      return wire(target.app, {} as never)
    },
  })
}
