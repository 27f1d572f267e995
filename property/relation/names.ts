import { zeroAddress } from 'viem'
import type { Property } from '../../src/runner/families/family.ts'
import { MARKET } from '../../src/spec/venues.ts'
import { assert } from '../assert.ts'
import { judgesChoices } from '../fair.ts'
import type { GeneratedSwap } from '../generatedSwap.ts'
import { workOut } from '../generatedSwap.ts'
import { type ObservedQuote, seeAnswer } from '../quote/observed.ts'
import {
  amountsOf,
  assertEqual,
  type ObservedRelation,
  type Shown,
  shownBy,
  stripped,
  without,
} from './observed.ts'

const ALIAS = { from: 'Alias.of-from_1', to: 'Alias.of-to_2' } as const

/** A token is identified by its address: the symbol in a request is only echoed. */
export const namesAreLabels: Property<ObservedRelation> = {
  id: 'relation.names-are-labels',
  title: 'other symbols for the same addresses change the names in the hops and nothing else',
  requirements: ['hops.path', 'quote.unknown-token.priced', 'route.amount-out'],
  holds: async ({ environment, ask: given, put }) => {
    const ask = without(given, 'sender')
    const base = await put(ask)
    const { tokenIn, tokenOut } = base.facts
    if (tokenOut.address === zeroAddress || base.facts.amountInRaw === 0n) return 0
    environment.outlastMemo()
    const answer = await environment.client().quote({
      ...base.parameters,
      from: ALIAS.from,
      fromAddress: tokenIn.address === zeroAddress ? 'native' : tokenIn.address,
      fromDecimals: tokenIn.decimals,
      to: ALIAS.to,
      toAddress: tokenOut.address,
      toDecimals: tokenOut.decimals,
    })
    const renamed = seeAnswer(base, answer)
    if (judgesChoices(environment)) {
      const plain = stripped(base, 'from', 'to')
      assertEqual('route.amount-out', 'the same figures', plain, stripped(renamed, 'from', 'to'))
    } else assertSameWhereBoth(base, renamed)
    const hops = renamed.route?.hops
    // The hops of `market` may be empty.
    if (hops === undefined || hops.length === 0) return 0
    const ends = `${hops[0]?.from} to ${hops.at(-1)?.to}`
    assert('hops.path', ends === `${ALIAS.from} to ${ALIAS.to}`, `${ALIAS.from} to ${ALIAS.to}`, ends)
    return 1
  },
}

/** Compares the venues in both quotes: a service may not know the gas price in a token given by address only. */
function assertSameWhereBoth(base: ObservedQuote, renamed: ObservedQuote): void {
  const others = shownBy(renamed)
  for (const [engine, { low, high }] of shownBy(base)) {
    const other = others.get(engine)
    if (other === undefined) continue
    const text = `${engine}: ${low} to ${high}`
    assertEqual('route.amount-out', 'the same output', text, `${engine}: ${other.low} to ${other.high}`)
  }
}

/** Decimals are a claim about how the request writes amounts; the base units stay the same. */
export const decimalsAreScale: Property<ObservedRelation> = {
  id: 'relation.decimals-are-scale',
  title: 'other decimals for the same base units change the scale of the figures and nothing else',
  requirements: ['quote.unknown-token.priced', 'amounts.human-units', 'alternatives.amount-out'],
  inside: 'it claims decimals that the token contradicts, which a service may refuse',
  holds: async ({ environment, ask, twist, put }) => {
    const plain = without(ask, 'sender', 'fromPriceUsd', 'toPriceUsd')
    const base = await put(plain)
    const outside = (symbol: string) =>
      environment.manifest.otherTokens.some((each) => each.symbol === symbol)
    const raw = base.facts.amountInRaw
    if (raw === 0n || !(outside(ask.from) || outside(ask.to))) return 0
    const claims = {
      ...(outside(ask.from) ? { fromDecimals: twist.decimals } : {}),
      ...(outside(ask.to) ? { toDecimals: twist.decimals } : {}),
    }
    const inDecimals = claims.fromDecimals ?? base.facts.tokenIn.decimals
    const scaled: GeneratedSwap = { ...plain, ...claims, amount: Number(`${raw}e-${inDecimals}`) }
    // A double may not hold these base units at the other scale.
    if (workOut(environment.manifest, scaled).facts.amountInRaw !== raw) return 0
    const other = await put(scaled)
    if (base.route?.engine === MARKET || other.route?.engine === MARKET) return 0
    const deltas = ({ route }: typeof base) =>
      (route?.alternatives ?? []).map(({ engine, deltaBps }) => `${engine} ${deltaBps}`).join(', ')
    assertEqual(
      'quote.unknown-token.priced',
      'the same venues at the same distances',
      deltas(base),
      deltas(other),
    )
    for (const figure of ['amountOut', 'netAmountOut'] as const) {
      const [mine, theirs] = [shownBy(base, figure), shownBy(other, figure)]
      for (const [engine, shown] of mine) {
        const scaledShown = theirs.get(engine)
        assert(
          'alternatives.amount-out',
          scaledShown !== undefined && overlap(shown, scaledShown),
          `${engine} ${figure}: ${shown.low} to ${shown.high} base units`,
          scaledShown === undefined ? 'nothing' : `${scaledShown.low} to ${scaledShown.high}`,
        )
      }
    }
    return 1
  },
}

const overlap = (one: Shown, other: Shown): boolean => one.low <= other.high && other.low <= one.high

export const marksOfTheCallerMoveNoAmount: Property<ObservedRelation> = {
  id: 'relation.marks-of-the-caller-move-no-amount',
  title: 'absurd marks of the caller change priceImpactBps alone, and another recipient only its echo',
  requirements: ['quote.price-marks.accepted', 'route.amount-out', 'fees.recipient.echo'],
  holds: async ({ environment, ask, put }) => {
    const plain = without(ask, 'sender', 'fromPriceUsd', 'toPriceUsd')
    const base = await put({ ...plain, fee: { bps: ask.fee?.bps ?? 7, to: 'partnerOne' } })
    // Without any other price, the caller's mark is the only way to price gas, and may bring venues back.
    if (!base.venuesKnown || base.route === null) return 0
    const silent = ['priceImpactBps', 'partnerFeeRecipient'] as const
    const compared = (quote: ObservedQuote) =>
      judgesChoices(environment) ? stripped(quote, ...silent) : amountsOf(quote.route)
    for (const change of [
      ...(judgesChoices(environment) ? ABSURD_MARKS : ODD_MARKS),
      { fee: { bps: ask.fee?.bps ?? 7, to: 'partnerTwo' as const } },
    ]) {
      const other = await put({ ...plain, fee: { bps: ask.fee?.bps ?? 7, to: 'partnerOne' }, ...change })
      const name = Object.keys(change).join(' and ')
      assertEqual('route.amount-out', `the same with another ${name}`, compared(base), compared(other))
    }
    return 1
  },
}

const ABSURD_MARKS = [
  { fromPriceUsd: 5e-324, toPriceUsd: 1.7e308 },
  { fromPriceUsd: 1.7e308, toPriceUsd: 5e-324 },
  { fromPriceUsd: 1e-300 },
] as const
/** Wrong marks that a careful service would still accept. */
const ODD_MARKS = [{ fromPriceUsd: 3, toPriceUsd: 7 }, { fromPriceUsd: 11 }] as const
