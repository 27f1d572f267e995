import { factsOf, isAboutAsMuch, type SwapParameters } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import type { Route } from '../../src/spec/wire.ts'
import { assert, assertConvention } from '../support/expect.ts'
import { EVERYWHERE, someBuild } from '../support/swaps.ts'
import { rateOfEth } from './rateOfEth.ts'
import { judgedQuote } from './served.ts'

/** None buys ETH, for which gas needs no price. The pairs have USD marks on both sides, on one, or on none. */
const ASKS: readonly SwapParameters[] = [
  { from: 'ETH', to: 'USDG', amount: 1 },
  { from: 'USDG', to: 'DUSD', amount: 1_000 },
  { from: 'USDG', to: 'EIGHTEEN', amount: 1_000 },
  { from: 'ETH', to: 'SIX', amount: 1 },
  { from: 'SIX', to: 'EIGHTEEN', amount: 1_000 },
]

const inTheOutput: Case<'control'> = {
  id: 'quote.gas-cost.in-the-output',
  title: 'the gas cost in units of the output is worth about as much as the gas cost in ETH',
  requirements: ['alternatives.gas-cost.output-units'],
  uses: ['control'],
  run: async (environment) => {
    const notes: string[] = []
    for (const ask of ASKS) {
      const rate = await rateOfEth(environment, ask.to)
      const { route } = await judgedQuote(environment, ask)
      const gasCostOut = route.alternatives[0]?.gasCostOut ?? Number.NaN
      // A cost below one base unit may be shown as a whole unit.
      const unit = 10 ** -factsOf(environment.manifest, ask).tokenOut.decimals
      const worth = route.networkFeeEth * rate
      assert(
        'alternatives.gas-cost.output-units',
        isAboutAsMuch(gasCostOut, worth) || Math.abs(gasCostOut - worth) <= unit,
        `gasCostOut about ${worth} ${ask.to}, what networkFeeEth is worth at ${rate} for an ETH`,
        `gasCostOut ${gasCostOut}, networkFeeEth ${route.networkFeeEth}`,
      )
      notes.push(`${ask.from} to ${ask.to}: ${gasCostOut} shown, ${worth} at the rate of a little ETH`)
    }
    return { exercised: ASKS.length, notes }
  },
}

/** Marks for two tokens of one dollar each: a thousandth and a thousand times what their price feeds say. */
const ABSURD_MARKS = [0.001, 1_000]

/**
 * The caller's marks "improve price-impact accuracy" (§4.1) and are specified for nothing else: the ranking after gas must
 * equal that of the same quote without them.
 */
const callersMarks: Case<'control'> = {
  id: 'quote.ranking.callers-marks',
  title: "the caller's marks change neither the order of the venues nor what their gas is worth",
  requirements: ['quote.price-marks.impact-alone'],
  uses: ['control'],
  run: async (environment) => {
    const { route: plain } = await judgedQuote(environment, EVERYWHERE)
    const order = ({ alternatives }: Route) => alternatives.map(({ engine }) => engine).join(' > ')
    for (const mark of ABSURD_MARKS) {
      const marks = { fromPriceUsd: mark, toPriceUsd: mark }
      const { route } = await judgedQuote(environment, { ...EVERYWHERE, ...marks })
      assertConvention(
        'quote.price-marks.impact-alone',
        order(route) === order(plain),
        order(plain),
        order(route),
      )
      const [winner] = route.alternatives
      const own = plain.alternatives.find(({ engine }) => engine === winner?.engine)
      assertConvention(
        'quote.price-marks.impact-alone',
        isAboutAsMuch(winner?.gasCostOut ?? 0, own?.gasCostOut ?? 0),
        `about ${own?.gasCostOut} as without marks of ${mark} USD`,
        winner?.gasCostOut,
      )
    }
    return { exercised: ABSURD_MARKS.length, notes: [order(plain)] }
  },
}

/** §1: a build re-quotes the best venue by the same ranking. */
const builtWithMarks: Case<'control'> = {
  id: 'build.requotes.callers-marks',
  title: "the caller's marks do not change the venue that a build is for",
  requirements: ['quote.price-marks.impact-alone'],
  uses: ['control'],
  run: async (environment) => {
    const { engine } = await someBuild(environment, 'alice', EVERYWHERE)
    for (const mark of ABSURD_MARKS) {
      const marks = { fromPriceUsd: mark, toPriceUsd: mark }
      const marked = await someBuild(environment, 'alice', { ...EVERYWHERE, ...marks })
      assertConvention('quote.price-marks.impact-alone', marked.engine === engine, engine, marked.engine)
    }
    return { exercised: ABSURD_MARKS.length, notes: [engine] }
  },
}

/** §2.2: the gas of a route is one cost, shown in ETH and in units of the output. */
export const gasCostCases: readonly Case<'control'>[] = [inTheOutput, callersMarks, builtWithMarks]
