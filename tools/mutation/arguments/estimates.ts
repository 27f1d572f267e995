import type { Argument } from './argument.ts'

const GAS_COST = 'quote/gasCost.ts'
const PLAN = 'quote/plan.ts'
const FAN_OUT = 'quote/fanOut.ts'

/** What gas costs is an estimate (§2.2), and no clause says by which price it is shown in units of the output. */
export const estimates: readonly Argument[] = [
  {
    kind: 'same',
    why: 'ETH and WETH have one price feed, so that by the feeds a coin is worth itself: gas in units of a coin is the gas, whichever of the lines says so.',
    mutants: [
      { file: GAS_COST, line: 'if (prices.outIsCoin)', replacement: 'false' },
      { file: GAS_COST, line: 'if (prices.inIsCoin)', replacement: 'false' },
      { file: PLAN, line: 'isCoin: token.address === NATIVE', replacement: 'false' },
      {
        file: PLAN,
        line: 'isCoin: token.address === NATIVE',
        replacement: 'token.address === NATIVE && token.address === weth',
      },
      {
        file: PLAN,
        line: 'const ethFeed = ',
        original: 'address === NATIVE',
        replacement: 'address !== NATIVE',
      },
    ],
  },
  {
    kind: 'same',
    why: 'By which of the prices that there are gas is turned into the output, no clause says: the feeds, what the venue itself pays, or what WETH brings at some venue. They differ by little, and the suite asks for no more than the same order (`quote.gas-cost.in-the-output`).',
    mutants: [
      { file: GAS_COST, line: 'if (eth && tokenOut)', replacement: 'false' },
      { file: GAS_COST, line: 'if (eth && tokenIn)' },
      { file: GAS_COST, line: 'if (prices.spotOut !== null)' },
      { file: PLAN, line: 'const spotVenue = ' },
    ],
  },
  {
    kind: 'same',
    why: 'What WETH brings of a token is asked where neither side is a coin, and used nowhere else: asked for nothing it is not used, and what was not asked is null, or nothing at all.',
    mutants: [
      { file: 'quote/ask.ts', line: 'if (spot === null)', original: '() => null' },
      { file: PLAN, line: 'const needsSpot', replacement: 'true' },
      { file: PLAN, line: 'const needsSpot', replacement: '!sideIn.isCoin || !sideOut.isCoin' },
      { file: FAN_OUT, line: 'return plan.spotIn === null && plan.spotOut === null' },
    ],
  },
  {
    kind: 'same',
    why: 'ETH is the first token of every registry, and it is in every registry.',
    mutants: [
      { file: PLAN, line: 'const ethFeed = ', replacement: 'true' },
      {
        file: PLAN,
        line: 'const ethFeed = ',
        original: 'manifest.registry.find(({ address }) => address === NATIVE)?.feed',
      },
    ],
  },
  {
    kind: 'same',
    why: 'How much gas a swap uses is estimated: what a coin on one side, or a second pool, adds or saves is a small part of it.',
    mutants: [
      { file: 'venues/gas.ts', line: 'token === NATIVE ? native' },
      { file: 'venues/gas.ts', line: '    units.swap +' },
    ],
  },
  {
    kind: 'same',
    why: 'The share is taken of the output before gas where nothing is left after it; a net of exactly nothing is left by no pool.',
    mutants: [{ file: 'quote/ranking.ts', line: 'best > 0n ? best', replacement: 'best >= 0n' }],
  },
]
