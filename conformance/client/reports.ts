import { REJECTIONS } from '../../src/client/namedFaults.ts'
import {
  ANYTHING,
  type ClientCase,
  clientCases,
  DONE,
  FEE,
  faulty,
  HONEST,
  NATIVE,
  NOT_DONE,
  named,
  TOKENS,
} from './support.ts'

const NOT_RECORDED = { recorded: false, alreadyRecorded: false }

/** Orphans the block of the swap once, while its report is pending. */
const orphaningOnce =
  (resubmits: boolean): NonNullable<ClientCase['faults']> =>
  (chain) => {
    let isDone = false
    return {
      service: [
        {
          on: 'confirm',
          meanwhile: async ({ status }) => {
            if (!isDone && status === 202) isDone = await chain.orphanSwap(resubmits)
          },
        },
      ],
    }
  }

/** Replaces the swap while it is pending. */
const replacing =
  (how: 'speed-up' | 'cancel' | 'mark'): NonNullable<ClientCase['faults']> =>
  (chain) => ({
    node: [
      {
        on: 'swap',
        times: 1,
        beforehand: () => chain.holdBlocks(2),
        meanwhile: (sent) => chain.replace(sent, how),
      },
    ],
  })

/** Cases of responses to reports, and of events that happen to the swap (§4.3, §7). */
export const clientReportCases = clientCases({
  'pending.date': {
    title: '202 with `Retry-After` as a date',
    requirements: ['client.retry-after'],
    goal: NATIVE,
    faults: (chain) => ({
      service: [
        {
          on: 'confirm',
          times: 1,
          reply: {
            status: 202,
            body: NOT_RECORDED,
            headers: {
              get 'retry-after'() {
                return new Date(chain.nowMs() + 3_000).toUTCString()
              },
            },
          },
        },
      ],
    }),
  },
  'pending.often': {
    ...faulty('confirm-202'),
    waitsS: 9,
    requirements: ['client.persists-and-retries', 'client.retry-after'],
    goal: NATIVE,
    intent: { ...DONE, clauses: ['client.persists-and-retries'] },
  },
  ...Object.fromEntries(
    REJECTIONS.map((status) => [
      `rejected.${status}`,
      {
        ...faulty(`confirm-${status}`),
        requirements: ['client.rejection-final', 'client.refusal-is-said'] as const,
        goal: { ...NATIVE, timeoutS: 40 },
        intent: { ...NOT_DONE, clauses: ['client.rejection-final'] as const },
      },
    ]),
  ),
  'reorganised.resubmitted': {
    title: 'the block of the swap is orphaned while its report is pending, and the swap is mined again',
    requirements: ['client.persists-and-retries'],
    goal: { ...TOKENS, preferEngine: 'venue_a' },
    intent: { ...DONE, clauses: ['client.persists-and-retries'] },
    faults: orphaningOnce(true),
  },
  'reorganised.vanished': {
    title: 'the block of the swap is orphaned, and the node forgets the swap: the client sends it again',
    requirements: ['client.persists-and-retries', 'client.one-swap', 'client.fee-transfer.once'],
    goal: { ...NATIVE, ...FEE, preferEngine: 'venue_c' },
    intent: { ...DONE, clauses: ['client.persists-and-retries'] },
    faults: orphaningOnce(false),
  },
  'replaced.speed-up': {
    title: 'the wallet speeds the swap up: the replacement is reported',
    requirements: ['client.replacement.matching'],
    goal: NATIVE,
    intent: { ...HONEST, clauses: ['client.replacement.matching'] },
    faults: replacing('speed-up'),
  },
  'replaced.cancelled': {
    title: 'the wallet cancels the swap: nothing is reported, and nothing is done',
    requirements: ['client.replacement.different'],
    goal: { ...NATIVE, timeoutS: 30 },
    intent: { ...NOT_DONE, clauses: ['client.replacement.different'] },
    faults: replacing('cancel'),
  },
  'replaced.marked': {
    title: 'the wallet adds a mark to the calldata of the swap: it no longer matches, and is not reported',
    requirements: ['client.replacement.different'],
    goal: { ...NATIVE, timeoutS: 30 },
    intent: { ...NOT_DONE, clauses: ['client.replacement.different'] },
    faults: replacing('mark'),
  },
  'unavailable.build': {
    ...faulty('build-502'),
    waitsS: 6,
    requirements: ['client.build-backoff', 'client.retries-bounded'],
    goal: NATIVE,
    intent: { ...DONE, clauses: ['client.build-backoff'] },
  },
  'unavailable.build.always': {
    ...faulty('build-502-always'),
    waitsS: 8,
    requirements: ['client.retries-bounded'],
    goal: { ...NATIVE, timeoutS: 20 },
    intent: { ...NOT_DONE, clauses: ['client.retries-bounded'] },
  },
  'unavailable.confirm': {
    ...faulty('confirm-503'),
    requirements: ['client.confirm-backoff', 'client.retries-bounded'],
    goal: NATIVE,
    intent: { ...DONE, clauses: ['client.confirm-backoff'] },
  },
  'unavailable.confirm.pause': {
    ...faulty('confirm-503-pause'),
    requirements: ['client.confirm-backoff'],
    goal: NATIVE,
    intent: { ...DONE, clauses: ['client.confirm-backoff'] },
  },
  'budget.exceeded': {
    ...faulty('confirm-429'),
    requirements: ['client.budget'],
    goal: NATIVE,
    intent: { ...DONE, clauses: ['client.budget'] },
  },
  secrets: {
    title: 'no key in a URL, a request to the node, or what is printed, also when everything fails',
    requirements: ['client.key-kept-secret', 'client.authorization', 'client.confirm.same-key'],
    goal: { ...NATIVE, timeoutS: 20 },
    intent: ANYTHING,
    faults: named('confirm-401'),
  },
})
