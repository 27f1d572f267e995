import type { Convention } from './requirements/index.ts'

/** A choice that the specification leaves and the sandbox fixes, which a service on the sandbox has to know. */
export interface SandboxRule extends Convention {
  readonly title: string
}

/** The rules fixed by the contracts, the chain connection and the venues of the sandbox. docs/venues.md describes the contracts. */
export const SANDBOX_RULES: readonly SandboxRule[] = [
  {
    title: 'A fee inside `tx` is taken off the input',
    because:
      '`Settlement.swap` of the sandbox takes it there; a contract that takes it off the output is not deployed.',
    accepts: [
      'the fee wallet or the partner as the payee inside `tx`',
      'the fee cut to base units or rounded up',
    ],
  },
  {
    title: 'The venues are called as docs/venues.md shows',
    because: 'The minimum and the amount that a venue swaps are read from the calldata of these calls.',
    accepts: [
      'calldata for another contract is recorded and not judged; requirements that need it are then inconclusive',
    ],
  },
  {
    title: 'An ERC-20 is taken by approval or through Permit2, as the calldata says',
    because:
      '`Settlement.swap` does either, by `usePermit2` of its order; venue_c and venue_d, which are called directly, take approvals only.',
    accepts: [
      'either on any venue, as long as following `tx.permit2` and `tx.allowanceTarget` works',
      'the spender of the permit or Permit2 itself as `tx.allowanceTarget` of a permit',
    ],
  },
  {
    title: 'venue_c and venue_d cannot take a fee',
    because:
      'They swap the whole amount passed to them. A call that pays the fee and swaps the rest, such as one through Multicall3, can do both.',
    accepts: [
      'a `feeTransfer`',
      'no `feeTransfer`, if `tx` pays the whole fee to the fee wallet or the partner',
    ],
  },
  {
    title: 'A minimum is one of two neighbouring base units',
    because:
      'out × (10000 − slippageBps) / 10000 usually lies between two of them, and the specification names no rounding. A JSON number is a double: it represents every amount that prints as that number.',
    accepts: [
      'the product rounded down or up',
      'calldata with one base unit more than `minimumReceived`, never with less',
    ],
  },
  {
    title: 'The fee wallet is the one in the manifest',
    because: '§2.4 speaks of "the service\'s fee wallet", and only the manifest says which account that is.',
    accepts: ['the address in any letter case'],
  },
  {
    title: 'The chain is read through the connection that the manifest names',
    because: 'Faults are injected there: a service that reads another node would not meet them.',
    accepts: ['JSON-RPC by HTTP POST, one call or a batch'],
  },
  {
    title: 'Nobody else trades in the pools while a case runs',
    because: 'Only then does the swap pay the quoted output, to the base unit.',
    accepts: ['any printing of that amount as a number: rounded down, to nearest, or to 15 digits'],
  },
]
