/** Describes how far a number may be off, and why no less would be fair. */
export interface Tolerance {
  readonly figure: string
  readonly accepted: string
  readonly derivation: string
}

/** Every numeric tolerance of the suite: what a service in doubles and an exact one both keep. */
export const TOLERANCES: readonly Tolerance[] = [
  {
    figure: 'an amount of up to 15 significant digits',
    accepted: '2^-51 of it, less than half a base unit',
    derivation:
      'The nearest double is off by 2^-53, the greatest not above by 2^-52, and base units divided by 10^decimals in doubles by three roundings of 2^-53.',
  },
  {
    figure: 'a longer amount',
    accepted: 'one unit of its 15th digit in addition',
    derivation: 'A double holds any 15 digits; cut there, a number loses less than one unit of the last.',
  },
  {
    figure: '`minimumReceived`, and the minimum in the calldata',
    accepted: 'one base unit: rounded down or up',
    derivation: 'The specification names no rounding. The calldata never has less than is shown.',
  },
  {
    figure: 'a fee in base units',
    accepted: 'one base unit up, where it does not come out whole',
    derivation: 'The specification names no rounding: cut, to nearest or up is one of two neighbours.',
  },
  {
    figure: '`midRate`',
    accepted: '10^-5 of it, and any rate from that after the partner fee to that before it',
    derivation:
      'Six significant digits, cut, lose less than one unit of the sixth: 10^(e−5) of a number of at least 10^e.',
  },
  {
    figure: '`gasCostOut` against `amountOut` − `netAmountOut`',
    accepted: 'one base unit, 10^-5 of it, and what the printing of the three may hide',
    derivation:
      'It is an estimate, rounded up to base units or to six digits; the difference is one of doubles.',
  },
  {
    figure: 'the order by `netAmountOut`',
    accepted: 'any order of outputs that differ by less than their printing and that of the subtraction',
    derivation:
      'Where gas costs nearly the whole output, the noise of the two figures is far greater than that of their difference.',
  },
  {
    figure: '`gasCostOut` of the winner against `networkFeeEth`',
    accepted: 'a factor of ten either way',
    derivation:
      'How gas is estimated and at which rate it is converted is not shown. The prices of ETH and of WBTC, or of ETH and a dollar, differ by more.',
  },
  {
    figure: '`deltaBps`',
    accepted: 'less than 1 outside of the least and the most that four readings give',
    derivation:
      'After gas or before it, a share of the winner or of the entry; cut, rounded up or to nearest, a whole number is less than 1 off.',
  },
  {
    figure: '`priceImpactBps`',
    accepted: '1 from one of four readings',
    derivation:
      'The input before the partner fee or after it, a share of either worth; whole numbers as above.',
  },
  {
    figure: '`validUntil`',
    accepted: 'two seconds either way',
    derivation:
      'One for a time in whole seconds, one for the moment of the build that the 20 minutes begin at.',
  },
  {
    figure: 'the age of a repeated quote',
    accepted: 'twice 1.5 s',
    derivation: '"About 1.5 s" names no bound; twice the time is no longer about it.',
  },
  {
    figure: 'the notional of the partner report',
    accepted: '2 % of the input at the price feeds',
    derivation:
      'A market lookup of the service: the pools of the sandbox and its feeds lie within one per cent of each other, and dollars may be whole.',
  },
]
