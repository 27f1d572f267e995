import type { BuildResponse } from '../../src/spec/wire.ts'
import { SHIFT_ONE } from '../../src/venues-mock/shift.ts'
import { movePrice, setFault } from '../support/venues.ts'
import {
  type ClientCase,
  clientCases,
  DONE,
  FEE,
  NATIVE,
  NOT_DONE,
  named,
  refusing,
  TOKENS,
} from './support.ts'

/** More than any build promises. */
const TOO_MUCH = '1000000'
/** For so many block times no block comes, or a build is good. */
const LONG = 16
const SHORT = 5

/** Lets the swap revert as soon as it is sent. */
const reverting: NonNullable<ClientCase['faults']> = (chain, environment) => ({
  node: [
    {
      on: 'swap',
      times: 1,
      beforehand: () => chain.drive(() => setFault(environment, 'venue_a', { kind: 'revert-on-swap' })),
    },
  ],
})

/** Cases of builds that a client must examine before it signs (§2.3, §4.2 rules 4 to 7). */
export const clientSigningCases = clientCases({
  'chain.other': {
    title: 'a build for another chain: nothing is sent',
    requirements: ['client.rejects-other-chains', 'client.refusal-is-said'],
    goal: { ...TOKENS, ...FEE },
    intent: refusing('build', 'client.rejects-other-chains'),
    faults: named('other-chain'),
  },
  'chain.other.permit': {
    title: 'a build for another chain at a venue that takes permits: nothing is signed',
    requirements: ['client.rejects-other-chains', 'client.refusal-is-said'],
    goal: { ...TOKENS, preferEngine: 'venue_b' },
    intent: refusing('build', 'client.rejects-other-chains'),
    faults: named('other-chain-by-one'),
  },
  'chain.other.later': {
    title: 'the build after the approval is for another chain: it is not sent',
    requirements: ['client.rejects-other-chains', 'client.refusal-is-said'],
    goal: { ...TOKENS, ...FEE, preferEngine: 'venue_c' },
    intent: refusing('build', 'client.rejects-other-chains'),
    faults: named('other-chain', 1),
  },
  'minimum.too-low': {
    title: 'no build promises what the user wants at least',
    requirements: ['client.minimum.accepted', 'client.refusal-is-said'],
    goal: { ...NATIVE, minimumReceived: TOO_MUCH },
    intent: refusing('build', 'client.minimum.accepted'),
  },
  'minimum.below-output': {
    title: 'a build shows as much as the user wants at least, and promises less',
    requirements: ['client.minimum.accepted', 'client.refusal-is-said'],
    goal: { ...NATIVE, preferEngine: 'venue_a', slippageBps: 1_000, minimumReceived: '725' },
    intent: refusing('build', 'client.minimum.accepted'),
  },
  'minimum.fallen': {
    title: 'quote and first build promise enough, and the build after the approval no longer does',
    requirements: ['client.minimum.accepted', 'client.refusal-is-said'],
    goal: { ...TOKENS, preferEngine: 'venue_a', minimumReceived: '240' },
    intent: refusing('build', 'client.minimum.accepted'),
    faults: (chain, environment) => ({
      service: [
        {
          on: 'build',
          times: 1,
          meanwhile: () =>
            chain.drive(() =>
              movePrice(
                environment,
                { ...TOKENS, amount: Number(TOKENS.amount) },
                { venue: 'venue_a', direction: 'against', shift: SHIFT_ONE / 10n },
              ),
            ),
        },
      ],
    }),
  },
  'build.expired': {
    title: 'the approval is mined late, and the build has expired by then',
    requirements: ['client.build-before-signing'],
    goal: { ...TOKENS, ...FEE, preferEngine: 'venue_a' },
    intent: { ...DONE, clauses: ['client.build-before-signing'] },
    faults: (chain) => ({
      service: [
        {
          on: 'build',
          times: 1,
          change: (build: BuildResponse) => ({
            ...build,
            route: { ...build.route, expiresAt: chain.nowMs() + chain.blocksMs(SHORT) },
          }),
        },
      ],
      node: [{ on: 'approval', times: 1, meanwhile: () => chain.holdBlocks(LONG) }],
    }),
  },
  'build.other-spender': {
    title: 'the venue fails while its approval is mined: the next build has another spender',
    requirements: ['client.approval.spender', 'client.build-before-signing'],
    goal: { ...TOKENS, ...FEE },
    intent: { ...DONE, clauses: ['client.build-before-signing'] },
    faults: (chain, environment) => ({
      service: [
        {
          on: 'build',
          times: 1,
          meanwhile: () => chain.drive(() => setFault(environment, 'venue_c', { kind: 'revert-on-swap' })),
        },
      ],
    }),
  },
  'permit.named-permit2': {
    title: '`allowanceTarget` is Permit2 itself: the permit is for the called contract',
    requirements: ['client.approval.permit'],
    goal: { ...TOKENS, preferEngine: 'venue_e' },
    faults: (_chain, { manifest }) => ({
      service: [
        {
          on: 'build',
          change: (build: BuildResponse) => ({
            ...build,
            tx: { ...build.tx, allowanceTarget: manifest.permit2 },
          }),
        },
      ],
    }),
  },
  'swap.reverts': {
    title: 'the swap reverts: it is not done',
    requirements: ['client.reverted-not-done'],
    goal: { ...NATIVE, preferEngine: 'venue_a' },
    intent: { ...NOT_DONE, clauses: ['client.reverted-not-done'] },
    faults: reverting,
  },
  'swap.reverts.without-attribution': {
    title: 'the swap reverts under the legacy key, and no report shows it: it is not done',
    requirements: ['client.reverted-not-done'],
    goal: { ...NATIVE, preferEngine: 'venue_a' },
    key: 'legacy',
    intent: { ...NOT_DONE, clauses: ['client.reverted-not-done'] },
    faults: reverting,
  },
})
