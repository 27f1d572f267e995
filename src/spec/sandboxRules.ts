import type { Convention } from './requirements/index.ts'

/** Something that the sandbox fixes where the specification leaves a choice: a service that runs on it has to know. */
export interface SandboxRule extends Convention {
  readonly title: string
}

/** What the contracts, the chain connection and the venues of the sandbox fix. docs/venues.md describes the contracts. */
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
