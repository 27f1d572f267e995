import { describe, expect, it } from 'vitest'
import { tryDrawn } from '../../src/runner/proof/drawn.ts'
import { PROOF_SEED, Reference } from '../../src/runner/proof/service.ts'
import { useWorld } from '../../src/simulation/testing/lentWorld.ts'
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
  const reference = new Reference()
  const world = useWorld(PROOF_SEED)

  it('kills what shows always, and names what no case meets', async () => {
    const [first] = await reference.all(world, CASES.slice(0, 1))
    const exchanges = first?.exchanges ?? []
    const all = drawnDefects(2_000, 1)
    const plain = all.filter(({ title }) => /^quote: (amountIn is 1 % lower|hops is empty)$/.test(title))
    const unmet = all
      .filter(({ title }) => title.startsWith('confirm:') && title.includes('with a partner fee'))
      .slice(0, 1)
    expect(plain.length).toBeGreaterThan(0)
    expect(plain.filter((one) => one.showsIn(exchanges))).toEqual(plain)
    for (const one of plain) expect((await tryDrawn(world, one, CASES, reference)).killedBy).not.toBeNull()
    for (const one of unmet)
      expect(await tryDrawn(world, one, CASES, reference)).toMatchObject({ killedBy: null, shownIn: 0 })
  })
})
