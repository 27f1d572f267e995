import fc from 'fast-check'
import { family, type Property } from '../../src/runner/families/family.ts'
import { assert } from '../assert.ts'
import { type Deed, explanationOf } from './model.ts'
import {
  type Interleaving,
  interleavingSchema,
  type ObservedInterleaving,
  seeInterleaving,
} from './observed.ts'
import { everyOrder } from './turns.ts'

const someOrderExplains: Property<ObservedInterleaving> = {
  id: 'interleaving.some-order-explains-the-answers',
  title: 'overlapping requests get the responses of some sequential order that their times allow',
  requirements: [
    'confirm.conflict.transaction',
    'confirm.conflict.build',
    'confirm.repeat.safe',
    'auth.build-of-active-key',
  ],
  holds: ({ start, deeds, taken }) => {
    const answers = deeds.map(({ name, answer }) => `${name}: ${answer}`).join('; ')
    assert(
      'confirm.conflict.transaction',
      explanationOf(start, deeds) !== null,
      'answers that some order of the requests explains',
      `${answers} (turns: ${taken.join(', ')})`,
    )
    return 1
  },
}

const creditedOnce: Property<ObservedInterleaving> = {
  id: 'interleaving.credited-once',
  title: 'however reports overlap, the totals count the reports that got `recorded`',
  requirements: ['confirm.conflict.build', 'partner-report.figures', 'partner-report.only-reported'],
  holds: ({ deeds, confirmedSwaps }) => {
    for (const key of ['one', 'two'] as const) {
      const news = deeds.filter(
        ({ deed, answer }) => deed.do === 'confirm' && deed.key === key && answer === '200 new',
      )
      assert(
        'partner-report.figures',
        confirmedSwaps[key] === null || confirmedSwaps[key] === news.length,
        `${news.length} confirmed swaps of key ${key}, one for each report answered as recorded`,
        String(confirmedSwaps[key]),
      )
    }
    return deeds.some(({ deed }) => deed.do === 'confirm') ? 1 : 0
  },
}

const recordedWhileDeep: Property<ObservedInterleaving> = {
  id: 'interleaving.recorded-while-deep',
  title: 'a credit is written only while its transaction lies 12 deep on the canonical chain',
  requirements: ['confirm.depth.twelve', 'confirm.block-changed'],
  holds: ({ creditsDeep, taken }) => {
    assert(
      'confirm.block-changed',
      creditsDeep.every((isDeep) => isDeep),
      'no credit of a transaction that was reorganised away, or is not deep yet',
      `a credit written (turns: ${taken.join(', ')})`,
    )
    return creditsDeep.length
  },
}

const PROPERTIES = [someOrderExplains, creditedOnce, recordedWhileDeep] as const

/** Turns of each action: one more than its chain calls, of which a confirm makes three and a build two. */
const TURNS: Readonly<Record<Deed['do'], number>> = { confirm: 4, build: 3, revoke: 1, reorg: 1, mine: 1 }

/** Returns all orders of some actions. */
function every(depth: number, deeds: Readonly<Record<string, Deed>>): readonly Interleaving[] {
  const turns = Object.fromEntries(Object.entries(deeds).map(([name, deed]) => [name, TURNS[deed.do]]))
  return everyOrder(turns).map((order) => ({ depth, deeds: { ...deeds }, order: [...order] }))
}

const SAME: Deed = { do: 'confirm', key: 'one', build: 'b1', tx: 't1' }

/** Small groups of actions in all their orders: two reports and a reorganisation, two builds and a revocation. */
const SMALL: readonly Interleaving[] = [
  ...every(12, { first: SAME, second: SAME, reorg: { do: 'reorg' } }),
  ...every(12, { first: SAME, second: { ...SAME, build: 'b2' } }),
  ...every(12, { first: SAME, second: { ...SAME, tx: 't2' } }),
  ...every(12, {
    first: { do: 'build', key: 'one' },
    second: { do: 'build', key: 'one' },
    revocation: { do: 'revoke', key: 'one' },
  }),
]

/** The members that both families share. */
const SHARED = {
  schema: interleavingSchema,
  inside: 'the scheduler controls the calls of the service to its chain and store',
  observe: seeInterleaving,
  labels: function* ({ deeds }: ObservedInterleaving): Generator<string> {
    for (const { deed, answer } of deeds) yield `${deed.do}: ${answer}`
  },
} as const

/** Two overlapping reports or builds, with one event in between, in every possible order. */
export const smallInterleavings = family({
  ...SHARED,
  id: 'interleaving',
  cases: fc.constantFrom(...SMALL),
  every: SMALL,
  runs: { quick: 30, full: SMALL.length },
  shrinkTries: 60,
  properties: PROPERTIES,
})

const confirms: fc.Arbitrary<Deed> = fc.record({
  do: fc.constant('confirm' as const),
  key: fc.oneof({ weight: 4, arbitrary: fc.constant('one' as const) }, fc.constant('two' as const)),
  build: fc.constantFrom('b1' as const, 'b1' as const, 'b2' as const, 'b3' as const),
  tx: fc.constantFrom('t1' as const, 't1' as const, 't2' as const),
})
const others: fc.Arbitrary<Deed> = fc.oneof(
  fc.constant({ do: 'reorg' as const }),
  fc.constantFrom(1, 2).map((blocks) => ({ do: 'mine' as const, blocks })),
  fc.constantFrom('one' as const, 'two' as const).map((key) => ({ do: 'revoke' as const, key })),
  fc.constant({ do: 'build' as const, key: 'one' as const }),
)

/** Larger groups of actions, in random orders. */
export const largeInterleavings = family({
  ...SHARED,
  id: 'crowd',
  cases: fc
    .record({
      depth: fc.constantFrom(11, 12, 12, 12, 13),
      reports: fc.array(confirms, { minLength: 2, maxLength: 4 }),
      more: fc.array(others, { maxLength: 2 }),
    })
    .chain(({ depth, reports, more }) => {
      const deeds: Record<string, Deed> = Object.fromEntries([
        ...reports.map((deed, index) => [`report ${index + 1}`, deed] as const),
        ...more.map((deed, index) => [`${deed.do} ${index + 1}`, deed] as const),
      ])
      const turns = Object.entries(deeds).flatMap(([name, deed]) => Array<string>(TURNS[deed.do]).fill(name))
      return fc.shuffledSubarray(turns, { minLength: turns.length }).map((order) => ({ depth, deeds, order }))
    }),
  runs: { quick: 15, full: 200 },
  shrinkTries: 80,
  properties: PROPERTIES.map((property) => ({
    ...property,
    id: property.id.replace('interleaving', 'crowd'),
  })),
})
