import { clientCases, FEE, NATIVE, refusing, TOKENS } from './support.ts'

/** Amounts whose digits are easily lost, or changed by arithmetic with doubles. */
const AMOUNTS = {
  tenth: ['0.3', 'a sum of tenths'],
  small: ['0.0000005', 'so small that it is often written with an exponent'],
  cents: ['1234.567891', 'with as many digits as the token has decimals'],
  'trailing-digits': ['0.1234567890123457', 'with sixteen digits, which a double holds, but not times 10^18'],
} as const

const amountCases = Object.fromEntries(
  Object.entries(AMOUNTS).map(([name, [amount, words]]) => [
    `amount.${name}`,
    {
      title: `an amount of ${amount}: ${words}`,
      requirements: ['client.amount.exact', 'client.amount.plain'] as const,
      goal: { ...(name === 'cents' ? TOKENS : NATIVE), amount },
    },
  ]),
)

/** Cases of a client's quotes and builds (§4.1, §4.2, §8). */
export const clientRequestCases = clientCases({
  ...amountCases,
  'unknown-token.sold': {
    title: 'a token outside the registry with six decimals is sold',
    requirements: ['client.unknown-token', 'client.quote.parameters'],
    goal: { from: 'SIX', to: 'WETH', amount: '100' },
  },
  'unknown-token.bought': {
    title: 'a token outside the registry with six decimals is bought',
    requirements: ['client.unknown-token'],
    goal: { from: 'WETH', to: 'SIX', amount: '0.5' },
  },
  'route.market': {
    title: 'the route is a reference estimate, which cannot be built',
    requirements: ['client.market-not-built', 'client.refusal-is-said'],
    goal: { from: 'USDG', to: 'GOLD', amount: '100' },
    intent: refusing('quote', 'client.market-not-built'),
  },
  'route.none': {
    title: 'no venue prices the pair',
    requirements: ['client.no-route-not-built', 'client.refusal-is-said'],
    goal: { from: 'VOID', to: 'USDG', amount: '100' },
    intent: refusing('quote', 'client.no-route-not-built'),
  },
  'fee.largest': {
    title: 'a fee of 50 bps, on the quote as on the build',
    requirements: ['client.same-fee-on-build', 'client.quote.parameters', 'client.build.body'],
    goal: { ...TOKENS, ...FEE, partnerFeeBps: 50, slippageBps: 0 },
  },
})
