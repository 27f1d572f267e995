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
      '`Settlement.swap` of the sandbox takes it there; the contract for another end of the swap is not deployed.',
    accepts: [
      'the fee wallet or the partner as the payee inside `tx`',
      'the fee cut to base units or rounded up',
    ],
  },
  {
    title: 'The venues are called as docs/venues.md shows',
    because: 'The minimum and the amount that a venue swaps are read from the calldata of these calls.',
    accepts: [
      'calldata for another contract is recorded and not judged; what is read from it is then inconclusive',
    ],
  },
  {
    title: 'An ERC-20 is taken by approval or through Permit2, as the calldata says',
    because:
      '`Settlement.swap` does either, by `usePermit2` of its order; venue_c and venue_d, which are called directly, take approvals only.',
    accepts: [
      'either on any venue, as long as `tx.permit2` and `tx.allowanceTarget` work when they are followed',
      'the spender of the permit or Permit2 itself as `tx.allowanceTarget` of a permit',
    ],
  },
  {
    title: 'venue_c and venue_d cannot take a fee',
    because:
      'They swap all that they are called with. A call that pays the fee and swaps the rest, such as one through Multicall3, can do both.',
    accepts: [
      'a `feeTransfer`',
      'no `feeTransfer`, where the whole fee arrives at the fee wallet or the partner through `tx`',
    ],
  },
  {
    title: 'A minimum is one of two neighbouring base units',
    because:
      'out × (10000 − slippageBps) / 10000 mostly lies between two of them, and the specification names no rounding. A number that JSON carries is a double: it means the amounts that print as it.',
    accepts: [
      'the product rounded down or up, which are one base unit apart, and the same where the product is whole',
      'calldata of one base unit more than `minimumReceived`, and never of less',
    ],
  },
  {
    title: 'The fee wallet is the one of the manifest',
    because: '§2.4 speaks of "the service\'s fee wallet", and only the manifest says which account that is.',
    accepts: ['the address in any letter case'],
  },
  {
    title: 'The chain is read through the connection that the manifest names',
    because: 'Faults are injected there: a service that reads another node would not notice them.',
    accepts: ['JSON-RPC by HTTP POST, one call or a batch'],
  },
  {
    title: 'Each venue is alone on its pools while a case runs',
    because: 'Only then is the output that was quoted the output that is paid, to the base unit.',
    accepts: ['any printing of that amount as a number: rounded down, to nearest, or to 15 digits'],
  },
]
