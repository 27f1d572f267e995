import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { PromiseBrokenError } from '../../targets/blame.ts'
import { type Family, family, type Property } from './family.ts'
import { type FamilyChoice, runFamily } from './runFamily.ts'

interface Purse {
  readonly coins: number
  readonly owner: string
}

const poor: Property<Purse> = {
  id: 'purse.poor',
  title: 'nobody has more than a hundred coins',
  requirements: ['amounts.human-units'],
  holds: ({ coins }) => {
    if (coins > 100) throw new PromiseBrokenError('amounts.human-units', 'at most 100', String(coins))
    return 1
  },
}
const named: Property<Purse> = {
  ...poor,
  id: 'purse.named',
  holds: ({ owner }) => (owner === 'nobody' ? 0 : 1),
}

const pursesDefinition: Family<null, Purse, Purse> = {
  id: 'purse',
  cases: fc.record({
    coins: fc.integer({ min: 0, max: 500 }),
    owner: fc.constantFrom('ann', 'ben', 'cy', 'dot'),
  }),
  schema: z.strictObject({ coins: z.int().min(0), owner: z.string() }),
  runs: { quick: 40, full: 80 },
  shrinkTries: 100,
  properties: [poor, named],
  observe: async (_context, purse) => purse,
  labels: ({ owner }) => [owner],
}
const purses = family(pursesDefinition)

const run = (options: Partial<FamilyChoice> = {}) =>
  runFamily(purses, null, { seed: 1, budget: 'quick', ...options })

describe('a run of a family', () => {
  it('blames the target for a response that cannot be read', async () => {
    const ends = (error: Error) =>
      runFamily(family({ ...pursesDefinition, observe: () => Promise.reject(error) }), null, {
        seed: 1,
        budget: 'quick',
      })
    const cut = new PromiseBrokenError('service.json-bodies', 'a complete body of JSON', 'half of one')
    await expect(ends(cut)).rejects.toBe(cut)
  })

  it('judges every property until it fails, and goes on with the others', async () => {
    const { properties, cases } = await run()
    expect(cases).toBe(40)
    expect(properties.map(({ id, counterexample }) => [id, counterexample === null])).toEqual([
      ['purse.poor', false],
      ['purse.named', true],
    ])
    expect(properties[1]?.exercised).toBe(40)
  })

  it('ends with the smallest case, what was wrong with it, and which inputs do not matter', async () => {
    const found = (await run()).properties[0]?.counterexample
    expect(found?.irrelevant).toEqual(['owner'])
    const coins = Number((found?.input as { readonly coins?: number } | undefined)?.coins)
    expect(coins).toBeGreaterThan(100)
    expect(coins).toBeLessThan(120)
    expect(found?.actual).toBe(String(coins))
  })

  it('is the same for the same seed, and differs for another', async () => {
    const [one, again, other] = await Promise.all([run(), run(), run({ seed: 2 })])
    expect(again).toEqual(one)
    expect(other?.labels).not.toEqual(one?.labels)
  })

  it('generates a third of the cases of a quick run when it must be brief', async () => {
    expect((await run({ budget: 'brief', only: new Set(['purse.named']) })).cases).toBe(14)
  })

  it('runs all possible cases, where they can be enumerated and the budget allows it', async () => {
    const every = [
      { coins: 1, owner: 'ann' },
      { coins: 2, owner: 'ben' },
    ]
    const few = purses.use((made) => family({ ...made, every } as never)) as typeof purses
    const { labels } = await runFamily(few, null, { seed: 1, budget: 'quick' })
    expect([...labels]).toEqual([
      ['ann', 1],
      ['ben', 1],
    ])
  })

  it('blames nobody for a case that cannot be judged', async () => {
    const broken = purses.use((made) =>
      family({ ...made, observe: () => Promise.reject(new Error('the node is gone')) } as never),
    ) as typeof purses
    await expect(runFamily(broken, null, { seed: 1, budget: 'quick' })).rejects.toThrow('the node is gone')
  })

  it('goes on after a kept failure whose mistake is fixed', async () => {
    const fixed = { property: 'purse.poor', requirement: 'amounts.human-units', seed: 1 } as const
    const kept = {
      ...fixed,
      expected: '',
      actual: '',
      case: { coins: 100, owner: 'ann' },
      file: 'fixed.json',
    }
    const { properties, failures } = await run({ failures: [kept], only: new Set(['purse.poor']) })
    expect(failures).toBe(1)
    expect(properties[0]?.counterexample?.generated).not.toBeNull()
  })
})
