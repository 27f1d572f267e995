import type { RequirementId } from './requirements/index.ts'

/** The tolerance of a number, and the reason why a smaller one would be unfair. */
export interface Tolerance {
  readonly figure: string
  /** The requirements to which it applies. */
  readonly of: readonly RequirementId[]
  readonly accepted: string
  readonly derivation: string
}

/** Returns the tolerances of a requirement. */
export function tolerancesOf(id: RequirementId): readonly Tolerance[] {
  return TOLERANCES.filter((one) => one.of.includes(id))
}

/** Every numeric tolerance of the suite, within which both a service calculating in doubles and an exact one stay. */
export const TOLERANCES: readonly Tolerance[] = [
  {
    figure: 'an amount',
    of: [
      'route.amount-in',
      'route.amount-out',
      'amounts.net-of-fee',
      'fees.total.baked-in',
      'alternatives.amount-out',
      'build.requotes.live',
      'fees.on-input',
    ],
    accepted: 'cut or rounded at its last digit, the sixth or a later one, and 2^-51 of it',
    derivation:
      'The specification names no number of digits. The nearest double is off by 2^-53, the greatest not above by 2^-52, and base units divided by 10^decimals in doubles by three roundings of 2^-53; from the 16th digit on a double shows nothing.',
  },
  {
    figure: '`minimumReceived`, and the minimum in the calldata',
    of: [
      'route.minimum-received.floor',
      'route.minimum-received.on-chain',
      'tx.data.minimum',
      'build.minimum.encoded',
    ],
    accepted: 'one base unit: rounded down or up',
    derivation: 'The specification names no rounding. The calldata never has less than is shown.',
  },
  {
    figure: 'a fee in base units',
    of: ['fee-transfer.amount-raw', 'build.fee-inside-tx'],
    accepted: 'one base unit up, where it does not come out whole',
    derivation: 'The specification names no rounding: cut, to nearest or up is one of two neighbours.',
  },
  {
    figure: '`midRate`',
    of: ['route.mid-rate'],
    accepted: 'cut or rounded at its last digit, the sixth or a later one, like the amounts',
    derivation: 'How many digits a rate has is not shown, and the two amounts have their own.',
  },
  {
    figure: '`gasCostOut` against `amountOut` − `netAmountOut`',
    of: ['alternatives.gas-cost'],
    accepted: 'one base unit, 10^-5 of it, and what the digits of the three leave out',
    derivation:
      'It is an estimate, rounded up to base units or to six digits; the difference is one of doubles.',
  },
  {
    figure: 'the order by `netAmountOut`',
    of: ['quote.ranking.after-gas', 'alternatives.net', 'quote.best-route'],
    accepted: 'any order of outputs that differ by less than their printing and that of the subtraction',
    derivation:
      'Where gas costs nearly the whole output, the noise of the two figures is far greater than that of their difference.',
  },
  {
    figure: '`gasCostOut` of the winner against `networkFeeEth`',
    of: ['alternatives.gas-cost.output-units', 'route.network-fee.estimate'],
    accepted: 'a factor of ten either way',
    derivation:
      'How gas is estimated and at which rate it is converted is not shown. The prices of ETH and of WBTC, or of ETH and a dollar, differ by more.',
  },
  {
    figure: '`deltaBps`',
    of: ['alternatives.delta'],
    accepted: 'less than 1 outside of the least and the most that four readings give',
    derivation:
      'After gas or before it, a share of the winner or of the entry; cut, rounded up or to nearest, a whole number is less than 1 off.',
  },
  {
    figure: '`priceImpactBps`',
    of: ['route.price-impact.against-mark', 'route.price-impact.to-one-bp'],
    accepted:
      'from half less 50 to twice as much and 100 of one of four readings; by convention 1 from one of them',
    derivation:
      'The input before the partner fee or after it, a share of either worth; how old the mark may be is not shown.',
  },
  {
    figure: '`validUntil`',
    of: ['attribution.valid-until.window', 'confirm.window.lower-end'],
    accepted: 'two seconds either way',
    derivation:
      'One for a time in whole seconds, one for the moment of the build that the 20 minutes begin at.',
  },
  {
    figure: 'the age of a repeated quote',
    of: ['quote.memo.ends'],
    accepted: 'twice 1.5 s',
    derivation: '"About 1.5 s" names no bound; twice the time is no longer about it.',
  },
  {
    figure: 'the notional of the partner report',
    of: ['partner-report.figures', 'partner-report.server-prices'],
    accepted: '2 % of the input at the price feeds',
    derivation:
      'A market lookup of the service: the pools of the sandbox and its feeds lie within one per cent of each other, and dollars may be whole.',
  },
]
