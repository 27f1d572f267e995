import { clauses } from './types.ts'

/** §8 Limits: each row for all endpoints to which it applies. */
export const section8 = [
  ...clauses(
    { section: '8', subject: 'quote-and-build' },
    {
      'limits.slippage': {
        clause: '`slippageBps` | integer 0 to 5000, default 50',
        statement:
          'Quote and build have the same limits for `slippageBps`: −1 and 5001 are refused, 0 and 5000 are served.',
        floor: 4,
      },
      'limits.partner-fee': {
        clause: '`partnerFeeBps` | integer 0 to 50, default 0',
        statement:
          'Quote and build have the same limits for `partnerFeeBps`: −1 and 51 are refused, 0 and 50 are served.',
        floor: 4,
      },
      'limits.service-fee': {
        clause: 'Service fee | 0 bps',
        sameAs: 'fees.listed.zero',
      },
      'limits.symbol': {
        clause: 'Token symbol | 1 to 24 characters of `[A-Za-z0-9._-]`',
        statement:
          'Token symbol: quote and build refuse a `from` or `to` that is not 1 to 24 characters of the set.',
        floor: 2,
      },
      'limits.decimals': {
        clause: 'Decimals | integer 0 to 36',
        statement: 'Decimals: −1, 37 and 1.5 are refused, and text in a JSON body; 0 and 36 are accepted.',
        floor: 2,
      },
      'limits.amount': {
        clause: '`amount` | greater than 0',
        statement: 'Quote and build refuse an `amount` of zero or less.',
        floor: 2,
      },
      'limits.quote-duration': {
        clause: 'Quote duration | maximum 15 s (a cold fan-out across venues can take a few seconds)',
        statement: 'Quote duration: a response arrives within 15 s, even when a venue hangs.',
        subject: 'quote',
        floor: 3,
      },
      'limits.build-duration': {
        clause: 'Build duration | 30 s server budget',
        statement: 'Build duration: a response arrives within 30 s, even when a venue hangs.',
        subject: 'build',
        floor: 3,
      },
      'limits.memo': {
        clause: 'Quote memoization | about 1.5 s for identical parameters',
        sameAs: 'quote.memo.ends',
      },
      'limits.attribution-window': {
        clause: 'Attribution window | 20 minutes from the build',
        statement:
          'Attribution window: a swap one second before the end of the 20 minutes counts; one after the end does not.',
        subject: 'confirm',
        needs: 'sandbox',
        capability: 'attribution',
        floor: 2,
      },
      'limits.confirmations': {
        clause: 'Required confirmations | 12',
        sameAs: 'confirm.depth.twelve',
      },
      'limits.chain': {
        clause: 'Chain | `chainId` 4663',
        sameAs: 'tx.chain-id',
      },
      'confirm.budget.shared': {
        clause: 'Confirm shares a partner request budget that yields 429.',
        statement:
          'All keys of one partner share the declared request budget of confirm: using it up with one key exhausts it for the others.',
        subject: 'confirm',
        capability: 'confirm-budget',
        needs: 'sandbox',
      },
      'confirm.budget.size': {
        clause: 'Its numeric size: not shown.',
        statement:
          'Unspecified: how many requests the budget allows, which requests count, and when it refills.',
        subject: 'confirm',
        level: 'silent',
        capability: 'attribution',
      },
    },
  ),
]
