import { clauses } from './types.ts'

/** The text before the first heading, and §1 What the service does. */
export const section1 = [
  ...clauses(
    { section: '0', subject: 'quote-and-build' },
    {
      'service.venue-ids': {
        clause: 'Venue identifiers are written here as `venue_a` to `venue_f`.',
        statement: 'Wherever a venue id stands on the wire it is one of the six ids, written exactly so.',
      },
      'service.market-only-result': {
        clause: '`market` is a seventh value that appears only as a result.',
        statement: '`market` is never accepted as a venue to prefer and never stands among the alternatives.',
      },
    },
  ),
  ...clauses(
    { section: '1', subject: 'quote' },
    {
      'service.one-chain': {
        clause: 'The service is a swap aggregator for one chain (chainId `4663`).',
        statement: 'Every transaction the service builds is for chain 4663.',
        subject: 'build',
      },
      'quote.venues.all-asked': {
        clause: 'It prices a pair and an amount across every venue',
        statement: 'On a pair that all six venues trade, all six stand among the alternatives.',
        needs: 'sandbox',
      },
      'quote.ranking.after-gas': {
        clause: 'ranks the answers by output after gas.',
        statement:
          'The alternatives are in order of their output after gas, best first; equal ones in any order.',
        floor: 3,
      },
      'quote.best-route': {
        clause: '`GET {base_url}/api/v1/quote` returns the best executable route',
        statement: 'The route is the one of the venue that ranks first.',
        floor: 3,
      },
      'quote.builds-nothing': {
        clause: 'builds no transaction.',
        statement: 'A quote carries no transaction, and quoting changes nothing on the chain.',
      },
      'build.requotes': {
        clause:
          '`POST {base_url}/api/v1/swap/build` re-quotes the best venue against the live pool and simulates the settlement transaction.',
        statement:
          'After the pool moved, a build shows the amounts of the pool as it is, not those of the quote.',
        subject: 'build',
        needs: 'sandbox',
      },
      'build.falls-through': {
        clause: 'If the simulation would revert, it falls through to the next venue.',
        statement:
          'When the best venue would revert on settlement, the build is for the next best that does not.',
        subject: 'build',
        needs: 'sandbox',
      },
      'build.returns-transaction': {
        clause: 'It returns a transaction for the user to sign.',
        statement: 'A build that succeeds carries a complete transaction.',
        subject: 'build',
      },
      'confirm.records': {
        clause:
          '`POST {base_url}/api/v1/swap/confirm` records the hash of a completed built swap against a build, for partner attribution.',
        statement:
          'A swap that was built, executed and is deep enough is recorded when its hash is reported.',
        subject: 'confirm',
        needs: 'chain',
        capability: 'attribution',
      },
      'fees.service-charges-nothing': {
        clause: 'The service charges 0 bps itself (`listedFeeBps` is 0).',
        statement: 'Executing a build without a partner fee moves the whole input into the venue.',
        subject: 'build',
        needs: 'sandbox',
      },
      'fees.only-partner': {
        clause:
          "The only fee is the partner's own fee, `partnerFeeBps`, which the caller sets (0 to 50 bps).",
        statement:
          'What the user pays is what the venue gets plus the partner fee, to the base unit; nothing strays.',
        subject: 'build',
        needs: 'sandbox',
      },
      'amounts.net-of-fee': {
        clause: 'Output amounts are already net of `totalFeeBps`.',
        statement: 'The output shown is what the venue pays for the input less the fee.',
        subject: 'quote-and-build',
        needs: 'sandbox',
        floor: 3,
      },
      'amounts.human-units': {
        clause: 'Amounts are given in human units (decimal numbers, not base units)',
        statement: 'Amounts of a route are JSON numbers in whole tokens.',
        subject: 'quote-and-build',
        floor: 3,
      },
      'amounts.base-unit-strings': {
        clause: 'except `tx.value` and `feeTransfer.amountRaw`, which are strings in base units.',
        statement: '`tx.value` and `feeTransfer.amountRaw` are decimal strings of base units.',
        subject: 'build',
      },
      'amounts.surplus-digits': {
        clause: 'Amounts are given in human units (decimal numbers, not base units)',
        statement:
          "What becomes of digits beyond the token's decimals, and of an amount that leaves no base unit.",
        subject: 'quote-and-build',
        level: 'silent',
      },
      'amounts.fee-on-transfer': {
        clause: 'Output amounts are already net of `totalFeeBps`.',
        statement:
          'Whether tokens that take a fee on transfer are priced by what really arrives, or refused.',
        subject: 'quote-and-build',
        level: 'silent',
        needs: 'sandbox',
      },
    },
  ),
]
