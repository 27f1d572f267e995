import { ANYTHING, type ClientCase, clientCases, DONE, HONEST, NATIVE, NOT_DONE, TOKENS } from './support.ts'

const REJECTIONS = [400, 401, 404, 409, 422] as const
const NOT_RECORDED = { recorded: false, alreadyRecorded: false }

/** Orphans the block of the swap once, while its report is pending. */
const orphaningOnce =
  (resubmits: boolean): NonNullable<ClientCase['faults']> =>
  (run) => {
    let isDone = false
    return {
      service: [
        {
          on: 'confirm',
          meanwhile: async ({ status }) => {
            if (!isDone && status === 202) isDone = await run.orphanSwap(resubmits)
          },
        },
      ],
    }
  }

/** What a client makes of the responses to its reports, and of what happens to its swap (§4.3, §7). */
export const clientReportCases = clientCases({
  'pending.long-pause': {
    title: '202 with a long `Retry-After`, which is respected',
    requirements: ['client.retry-after', 'client.persists-and-retries'],
    goal: NATIVE,
    intent: DONE,
    faults: () => ({
      service: [
        {
          on: 'confirm',
          times: 2,
          reply: { status: 202, body: NOT_RECORDED, headers: { 'retry-after': '3' } },
        },
      ],
    }),
  },
  'pending.date': {
    title: '202 with `Retry-After` as a date',
    requirements: ['client.retry-after'],
    goal: NATIVE,
    intent: DONE,
    faults: (run) => ({
      service: [
        {
          on: 'confirm',
          times: 1,
          reply: {
            status: 202,
            body: NOT_RECORDED,
            headers: {
              get 'retry-after'() {
                return new Date(run.nowMs() + 3_000).toUTCString()
              },
            },
          },
        },
      ],
    }),
  },
  'pending.often': {
    title: 'a swap that is 202 eight times is reported on',
    requirements: ['client.persists-and-retries', 'client.retry-after'],
    goal: NATIVE,
    intent: { ...DONE, clauses: ['client.persists-and-retries'] },
    faults: () => ({
      service: [
        {
          on: 'confirm',
          times: 8,
          reply: { status: 202, body: NOT_RECORDED, headers: { 'retry-after': '1' } },
        },
      ],
    }),
  },
  ...Object.fromEntries(
    REJECTIONS.map((status) => [
      `rejected.${status}`,
      {
        title: `each report is refused with ${status}: it is not repeated for ever, nor called done`,
        requirements: ['client.rejection-final'] as const,
        goal: { ...NATIVE, timeoutS: 40 },
        intent: { ...NOT_DONE, clauses: ['client.rejection-final'] as const },
        faults: () => ({
          service: [{ on: 'confirm' as const, reply: { status, body: { error: 'refused' } } }],
        }),
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
    requirements: ['client.persists-and-retries', 'client.one-swap'],
    goal: NATIVE,
    intent: { ...DONE, clauses: ['client.persists-and-retries'] },
    faults: orphaningOnce(false),
  },
  'replaced.speed-up': {
    title: 'the wallet speeds the swap up: the replacement is reported',
    requirements: ['client.replacement.matching'],
    goal: NATIVE,
    intent: { ...HONEST, clauses: ['client.replacement.matching'] },
    faults: (run) => ({
      node: [
        {
          on: 'swap',
          times: 1,
          beforehand: () => run.holdBlocks(2),
          meanwhile: (sent) => run.replace(sent, 'speed-up'),
        },
      ],
    }),
  },
  'replaced.cancelled': {
    title: 'the wallet cancels the swap: nothing is reported, and nothing is done',
    requirements: ['client.replacement.different'],
    goal: { ...NATIVE, timeoutS: 30 },
    intent: { ...NOT_DONE, clauses: ['client.replacement.different'] },
    faults: (run) => ({
      node: [
        {
          on: 'swap',
          times: 1,
          beforehand: () => run.holdBlocks(2),
          meanwhile: (sent) => run.replace(sent, 'cancel'),
        },
      ],
    }),
  },
  'unavailable.build': {
    title: '502 on a build, four times without `Retry-After`',
    requirements: ['client.build-backoff', 'client.retries-bounded'],
    goal: NATIVE,
    intent: { ...DONE, clauses: ['client.build-backoff'] },
    faults: () => ({
      service: [{ on: 'build', times: 4, reply: { status: 502, body: { error: 'build failed' } } }],
    }),
  },
  'unavailable.build.always': {
    title: '502 on every build: the client ends in time',
    requirements: ['client.retries-bounded'],
    goal: { ...NATIVE, timeoutS: 20 },
    intent: { ...NOT_DONE, clauses: ['client.retries-bounded'] },
    faults: () => ({
      service: [{ on: 'build', reply: { status: 502, body: { error: 'build failed' } } }],
    }),
  },
  'unavailable.confirm': {
    title: '503 on a report, four times without `Retry-After`',
    requirements: ['client.confirm-backoff', 'client.retries-bounded'],
    goal: NATIVE,
    intent: { ...DONE, clauses: ['client.confirm-backoff'] },
    faults: () => ({
      service: [{ on: 'confirm', times: 4, reply: { status: 503, body: { error: 'unavailable' } } }],
    }),
  },
  'unavailable.confirm.pause': {
    title: '503 on a report with `Retry-After`',
    requirements: ['client.confirm-backoff'],
    goal: NATIVE,
    intent: { ...DONE, clauses: ['client.confirm-backoff'] },
    faults: () => ({
      service: [
        {
          on: 'confirm',
          times: 1,
          reply: { status: 503, body: { error: 'unavailable' }, headers: { 'retry-after': '2' } },
        },
      ],
    }),
  },
  'budget.exceeded': {
    title: '429 on a report with `Retry-After`',
    requirements: ['client.budget'],
    goal: NATIVE,
    intent: { ...DONE, clauses: ['client.budget'] },
    faults: () => ({
      service: [
        {
          on: 'confirm',
          times: 2,
          reply: { status: 429, body: { error: 'budget exceeded' }, headers: { 'retry-after': '2' } },
        },
      ],
    }),
  },
  secrets: {
    title: 'no key in a URL, a request to the node, or what is printed, also when everything fails',
    requirements: ['client.key-kept-secret', 'client.authorization', 'client.confirm.same-key'],
    goal: { ...NATIVE, timeoutS: 20 },
    intent: ANYTHING,
    faults: () => ({
      service: [{ on: 'confirm', reply: { status: 401, body: { error: 'unauthorized' } } }],
    }),
  },
})
