import { type Hex, maxUint256 } from 'viem'
import { NAMED_FAULTS } from '../../src/client/namedFaults.ts'
import type { BuildResponse } from '../../src/spec/wire.ts'
import { assume } from '../support/expect.ts'
import { ANYTHING, type ClientCase, clientCases, FEE, NATIVE, named, refusing, TOKENS } from './support.ts'

/** A contract that holds allowances for others, as on the real chain; here nothing is deployed at its address. */
const ALLOWANCE_HOLDER = '0x0000000000001fF3684f28c67538d4D072C22734'

const FEE_RAW = 10n ** 15n

const tooExpensive = (
  fault: keyof typeof NAMED_FAULTS,
  goal: ClientCase['goal'],
  after?: number,
): ClientCase => ({
  title: NAMED_FAULTS[fault].title,
  requirements: ['client.cost.accepted', 'client.refusal-is-said'],
  goal,
  intent: refusing('build', 'client.cost.accepted'),
  faults: named(fault, after),
})

/** Names another contract as the one to approve; null: none. */
const approving =
  (allowanceTarget: string | null): NonNullable<ClientCase['faults']> =>
  () => ({
    service: [
      {
        on: 'build',
        change: (build: BuildResponse) => ({ ...build, tx: { ...build.tx, allowanceTarget } }),
      },
    ],
  })

/** Cases of a client that must check a build and its node against what it knows: the amount, the fee, the chain, the spender. */
export const clientCostCases = clientCases({
  'cost.value': tooExpensive('value-doubled', NATIVE),
  // The first build is good: the one after the approval is to be looked at as well.
  'cost.value.token': tooExpensive('value-added', { ...TOKENS, preferEngine: 'venue_a' }, 1),
  'cost.value.with-fee': tooExpensive('value-with-fee', { ...NATIVE, ...FEE, preferEngine: 'venue_c' }),
  // Ten times the fee are the 50 bps that the service takes at most: it is the goal that says what is too much.
  'cost.fee': tooExpensive('fee-tenfold', {
    ...{ ...TOKENS, ...FEE },
    partnerFeeBps: 5,
    preferEngine: 'venue_d',
  }),
  'cost.fee.other-coin': tooExpensive('fee-in-eth', { ...TOKENS, ...FEE, preferEngine: 'venue_d' }),
  'cost.fee.unasked': {
    title: 'the user asks for no fee, and a build takes one out of the amount',
    requirements: ['client.cost.accepted', 'client.refusal-is-said'],
    goal: { ...NATIVE, preferEngine: 'venue_a' },
    intent: refusing('build', 'client.cost.accepted'),
    faults: () => ({
      service: [
        {
          on: 'build',
          change: ({ tx, ...build }: BuildResponse) => ({
            ...build,
            tx: { ...tx, value: `${BigInt(tx.value) - FEE_RAW}` },
            feeTransfer: { token: 'native', to: FEE.partnerFeeRecipient, amountRaw: `${FEE_RAW}` },
          }),
        },
      ],
    }),
  },
  'chain.node': {
    title: 'the node is of another chain: nothing is sent, no approval either',
    requirements: ['client.node-of-other-chain', 'client.refusal-is-said'],
    goal: { ...TOKENS, ...FEE, preferEngine: 'venue_a' },
    nodeChainId: 1,
    intent: refusing('node', 'client.node-of-other-chain'),
  },
  'approval.native': {
    title: 'a build that sells ETH names an `allowanceTarget` all the same: nothing is approved',
    requirements: ['client.approval.none'],
    goal: { ...NATIVE, preferEngine: 'venue_a' },
    faults: approving(ALLOWANCE_HOLDER),
  },
  'approval.unnamed': {
    title: 'a build that sells a token names no `allowanceTarget`: nothing is approved, whatever comes of it',
    requirements: ['client.approval.none'],
    goal: { ...TOKENS, ...FEE, preferEngine: 'venue_a', timeoutS: 20 },
    intent: ANYTHING,
    faults: approving(null),
  },
  'approval.other-than-called': {
    title: '`allowanceTarget` is not the contract that is called: exactly it is approved',
    requirements: ['client.approval.spender'],
    goal: { ...TOKENS, ...FEE, preferEngine: 'venue_a' },
    // The swap works whoever else is approved, as the contract that is called is.
    prepare: async ({ control, manifest }) => {
      const token = manifest.registry.find(({ symbol }) => symbol === TOKENS.from)?.address
      const called = manifest.venues.find(({ id }) => id === 'venue_a')?.target
      assume(token !== undefined && called !== undefined, `the manifest has no ${TOKENS.from} or no venue_a`)
      await control.wallet('alice').sendApproval(token as Hex, called as Hex, maxUint256)
      await control.mine()
    },
    faults: approving(ALLOWANCE_HOLDER),
  },
})
