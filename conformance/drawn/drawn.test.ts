import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tryDrawn } from '../../src/runner/proof/drawn.ts'
import { createReference, type ProofWorlds, proofWorlds } from '../../src/runner/proof/runCase.ts'
import type { Exchange } from '../../src/spec/exchange.ts'
import { conformanceCases } from '../index.ts'
import { drawnDefects } from './index.ts'

const CASES = conformanceCases().filter(({ id }) =>
  [
    'quote.route.six-venues.with-fee',
    'build.serves.native-in',
    'build.never-cached',
    'confirm.depth',
  ].includes(id),
)
const listed = (count: number, seed: number) =>
  drawnDefects(count, seed).map(({ id, title }) => `${id} ${title}`)

describe('drawn defects', () => {
  it('are the same for the same seed, others for another, and no two alike', () => {
    expect(listed(200, 1)).toEqual(listed(200, 1))
    expect(listed(200, 1)).not.toEqual(listed(200, 2))
    const titles = drawnDefects(2_000, 1).map(({ title }) => title)
    expect(new Set(titles).size).toBe(2_000)
  })

  it('reach every endpoint', () => {
    const endpoints = drawnDefects(200, 1).map(({ title }) => title.split(':')[0])
    expect(new Set(endpoints)).toEqual(new Set(['quote', 'build', 'confirm']))
  })

  it('show in no exchanges where there are none', () => {
    expect(drawnDefects(50, 1).filter((one) => one.showsIn([]))).toEqual([])
  })
})

describe('the trial of drawn defects', () => {
  let worlds: ProofWorlds
  let exchanges: readonly Exchange[]
  beforeAll(async () => {
    worlds = proofWorlds(2)
    const reference = createReference()
    const [first] = CASES
    if (first === undefined) throw new RangeError('no case')
    const [known] = await worlds.each([first], (world, one) => reference.of(world, one))
    exchanges = known?.exchanges ?? []
  })
  afterAll(() => worlds.stop())

  it('kills what shows always, and names what no case meets', async () => {
    const all = drawnDefects(2_000, 1)
    const plain = all.filter(({ title }) => /^quote: (amountIn is 1 % lower|hops is empty)$/.test(title))
    const unmet = all
      .filter(({ title }) => title.startsWith('confirm:') && title.includes('with a partner fee'))
      .slice(0, 1)
    expect(plain.length).toBeGreaterThan(0)
    expect(plain.filter((one) => one.showsIn(exchanges))).toEqual(plain)
    const trials = await tryDrawn([...plain, ...unmet], CASES, createReference(), worlds, () => {})
    for (const { killedBy } of trials.slice(0, plain.length)) expect(killedBy).not.toBeNull()
    expect(trials.at(-1)).toMatchObject({ killedBy: null, shownIn: 0 })
  })
})
