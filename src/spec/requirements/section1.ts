import { clauses } from './types.ts'

/** The text before the first heading, and §1 What the service does. */
export const section1 = [
  ...clauses(
    { section: '0', subject: 'quote-and-build' },
    {
      'service.venue-ids': {
        clause: 'Venue identifiers are written here as `venue_a` to `venue_f`.',
        statement: 'Every venue id on the wire is one of the six ids, spelled exactly as in the interface.',
      },
      'service.market-only-result': {
        clause: '`market` is a seventh value that appears only as a result.',
        statement:
          '`market` is not accepted as `preferEngine` and in `alternatives` stands only next to a route of its own.',
      },
    },
  ),
  ...clauses(
    { section: '1', subject: 'quote' },
    {
      'service.one-chain': {
        clause: 'The service is a swap aggregator for one chain (chainId `4663`).',
        sameAs: 'tx.chain-id',
      },
      'quote.venues.all-asked': {
        clause: 'It prices a pair and an amount across every venue',
        statement: 'For a pair that all six venues trade, `alternatives` has all six.',
        needs: 'sandbox',
      },
      'quote.ranking.after-gas': {
        clause: 'ranks the answers by output after gas.',
        statement: '`alternatives` is sorted by output after gas, best first; ties in any order.',
        floor: 3,
      },
      'quote.best-route': {
        clause: '`GET {base_url}/api/v1/quote` returns the best executable route',
        statement: 'The route is that of the venue ranked first.',
        floor: 3,
      },
      'quote.builds-nothing': {
        clause: 'builds no transaction.',
        statement: 'A quote contains no transaction, and quoting changes no state on the chain.',
      },
      'build.requotes': {
        clause:
          '`POST {base_url}/api/v1/swap/build` re-quotes the best venue against the live pool and simulates the settlement transaction.',
        statement:
          'After the pool has moved, a build shows amounts from the current pool, not those of the quote.',
        subject: 'build',
        needs: 'sandbox',
      },
      'build.falls-through': {
        clause: 'If the simulation would revert, it falls through to the next venue.',
        statement:
          'A venue that would revert at settlement is never built, and the service builds for the next best venue that would not.',
        subject: 'build',
        needs: 'sandbox',
      },
      'build.returns-transaction': {
        clause: 'It returns a transaction for the user to sign.',
        statement: 'A successful build contains a complete transaction.',
        subject: 'build',
      },
      'confirm.records': {
        clause:
          '`POST {base_url}/api/v1/swap/confirm` records the hash of a completed built swap against a build, for partner attribution.',
        statement: 'A built swap that was executed and is deep enough is recorded when its hash is reported.',
        subject: 'confirm',
        needs: 'sandbox',
        capability: 'attribution',
      },
      'fees.service-charges-nothing': {
        clause: 'The service charges 0 bps itself (`listedFeeBps` is 0).',
        statement:
          'Without a partner fee, executing the built transaction moves the whole input to the venue.',
        subject: 'build',
        needs: 'sandbox',
      },
      'fees.only-partner': {
        clause:
          "The only fee is the partner's own fee, `partnerFeeBps`, which the caller sets (0 to 50 bps).",
        statement: 'The user pays exactly what the venue receives plus the partner fee, to the base unit.',
        subject: 'build',
        needs: 'sandbox',
      },
      'amounts.net-of-fee': {
        clause: 'Output amounts are already net of `totalFeeBps`.',
        statement: 'The output shown is what the venue pays for the input minus the fee.',
        subject: 'quote-and-build',
        needs: 'sandbox',
        floor: 3,
      },
      'amounts.human-units': {
        clause: 'Amounts are given in human units (decimal numbers, not base units)',
        statement: 'Amounts in a route are JSON numbers in human units.',
        subject: 'quote-and-build',
        floor: 3,
      },
      'amounts.base-unit-strings': {
        clause: 'except `tx.value` and `feeTransfer.amountRaw`, which are strings in base units.',
        statement: '`tx.value` and `feeTransfer.amountRaw` are decimal strings in base units.',
        subject: 'build',
      },
      'amounts.surplus-digits': {
        clause: 'Amounts are given in human units (decimal numbers, not base units)',
        statement:
          "Unspecified: how digits beyond the token's decimals are handled, and amounts that round down to zero base units.",
        subject: 'quote-and-build',
        level: 'silent',
      },
      'amounts.fee-on-transfer': {
        clause: 'Output amounts are already net of `totalFeeBps`.',
        statement:
          'Unspecified: whether fee-on-transfer tokens are priced by the amount that arrives, or refused.',
        subject: 'quote-and-build',
        level: 'silent',
        needs: 'sandbox',
      },
    },
  ),
]
