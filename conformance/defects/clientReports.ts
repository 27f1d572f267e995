import { type Hex, numberToHex, parseTransaction } from 'viem'
import type { ClientSeams } from '../../src/client/inProcessProgram.ts'
import type { StateStore } from '../../src/client/reference/ports.ts'
import type { Defect } from '../../src/runner/proof/defect.ts'
import { afterStatus, brokenClients, callingNode, meaningOf } from './helpers/clients.ts'

/** Changes what a client keeps. */
const keeping =
  (change: (state: StateStore) => Partial<StateStore>): NonNullable<ClientSeams['ports']> =>
  ({ state }) => ({ state: { ...state, ...change(state) } })

const FORGETS = keeping(() => ({ load: async () => null }))

/** Sends some signed bytes once, and never again. */
const sendingOnce = (isMeant: (raw: Hex) => boolean) =>
  callingNode(() => {
    const sent = new Set<Hex>()
    return async ({ method, params, send }) => {
      const raw = method === 'eth_sendRawTransaction' ? (params[0] as Hex) : null
      if (raw !== null && sent.has(raw)) return null
      const result = await send()
      if (raw !== null && isMeant(raw)) sent.add(raw)
      return result
    }
  })

/** The content of a transaction in a block. */
type Found = Readonly<Record<'to' | 'input' | 'value', string | null>>

/** Changes the transactions of blocks that a client reads, given the one that it sent last. */
const misreadingReplacements = (
  misread: (found: Found, swap: Record<'to' | 'data' | 'value', string>) => Partial<Found>,
): ClientSeams => ({
  ports: callingNode(() => {
    let swap = { to: '', data: '0x', value: '0x0' }
    return async ({ method, params, send }) => {
      if (method === 'eth_sendRawTransaction') {
        const { to, data, value } = parseTransaction(params[0] as Hex)
        swap = { to: `${to}`.toLowerCase(), data: data ?? '0x', value: numberToHex(value ?? 0n) }
      }
      const result = await send()
      if (method !== 'eth_getBlockByNumber' || result === null) return result
      const { transactions } = result as { readonly transactions: readonly Found[] }
      return { ...result, transactions: transactions.map((found) => ({ ...found, ...misread(found, swap) })) }
    }
  }),
})

/** Clients that report wrongly, repeat wrongly, or forget. */
export const clientReportDefects: readonly Defect[] = brokenClients({
  'client-reports.fee-hash': [
    'client.reports-swap',
    'The hash of the fee transfer is reported where there is one.',
    ({ report }) => ({
      report: (build, hashes) => report(build, { ...hashes, swap: hashes.feeTransfer ?? hashes.swap }),
    }),
  ],
  'client-reports.never': [
    'client.reports-swap',
    'The swap is never reported: the partner gets no credit.',
    () => ({ report: () => null }),
  ],
  'client-reports.unknown-hash': [
    'client.reports-swap',
    'The hash is reported with its last digit changed.',
    ({ report }) => ({
      report: (build, { swap, ...hashes }) =>
        report(build, { ...hashes, swap: `${swap.slice(0, -1)}${swap.endsWith('0') ? '1' : '0'}` }),
    }),
  ],
  'client-reports.quote-id': [
    'client.confirm.build-id',
    'The id of the quote is reported instead of that of the build.',
    ({ report }) => ({
      report: (build, hashes) => {
        const body = report(build, hashes)
        return body === null ? null : { ...body, buildId: build.route.quoteId }
      },
    }),
  ],
  'client-reports.made-up-id': [
    'client.no-attribution-no-report',
    'Without attribution the id of the quote is reported.',
    ({ report }) => ({
      report: (build, hashes) =>
        report(build, hashes) ?? { buildId: build.route.quoteId, txHash: hashes.swap },
    }),
  ],
  'client-reports.retry-after-ignored': [
    'client.retry-after',
    'A report is repeated every 250 ms, whatever `Retry-After` says.',
    afterStatus(202, () => 250),
  ],
  'client-reports.retry-after-as-ms': [
    'client.retry-after',
    '`Retry-After` is taken for milliseconds.',
    afterStatus(202, (_, { headers }) => Number(headers['retry-after'] ?? 1)),
  ],
  'client-reports.retry-after-date-ignored': [
    'client.retry-after',
    '`Retry-After` is read as a number alone: a date is taken for no pause.',
    ({ pauseMs }) => ({
      pauseMs: (attempt, response, nowMs) =>
        Number.isNaN(Number(response?.headers['retry-after'] ?? 0)) ? 250 : pauseMs(attempt, response, nowMs),
    }),
  ],
  'client-reports.once': [
    'client.persists-and-retries',
    'A swap is reported once; 202 is taken for success.',
    meaningOf('confirm', [202], 'final'),
  ],
  'client-reports.gives-up': [
    'client.persists-and-retries',
    'A report that is 202 five times is given up.',
    afterStatus(202, (attempt, _, usualMs) => (attempt >= 4 ? null : usualMs)),
  ],
  'client-reports.pending-forgotten': [
    'client.persists-and-retries',
    'The hash is in memory alone: a client that is started again says that the swap is done.',
    {
      rules: ({ report }) => ({ report }),
      ports: ({ state, http }) => {
        let isKept = false
        return {
          state: {
            ...state,
            load: async () => {
              const kept = await state.load()
              isKept = kept?.signed != null
              return kept
            },
          },
          http: (request) =>
            isKept && request.path.endsWith('/confirm')
              ? Promise.resolve({ status: 200, headers: {}, body: '{}' })
              : http(request),
        }
      },
    },
  ],
  'client-reports.not-resent': [
    'client.persists-and-retries',
    'A swap whose block was orphaned is not sent again.',
    { ports: sendingOnce(() => true) },
  ],
  'client-reports.fee-not-resent': [
    'client.persists-and-retries',
    'A fee transfer that was orphaned together with its swap is not sent again.',
    { ports: sendingOnce((raw) => parseTransaction(raw).data === undefined) },
  ],
  'client-reports.forgets-everything': [
    'client.one-swap',
    'Nothing is kept: a client that is started again swaps again.',
    { ports: FORGETS },
  ],
  'client-reports.kept-too-late': [
    'client.one-swap',
    'What was signed is kept once the swap is mined, and not before it is sent.',
    { ports: keeping(() => ({ save: async () => {} })) },
  ],
  'client-reports.fee-paid-again': [
    'client.fee-transfer.once',
    'A client that is started again pays the fee again, and then swaps.',
    { ports: FORGETS },
  ],
  'client-reports.replacement-not-found': [
    'client.replacement.matching',
    'The hash that was sent is waited for without an end; nobody looks for what took its place.',
    {
      ports: (ports) => ({
        goal: { ...ports.goal, timeoutS: 1_000_000 },
        ...callingNode(
          () =>
            async ({ method, params, send }) =>
              method === 'eth_getTransactionCount' && params[1] === 'latest' ? '0x0' : send(),
        )(ports),
      }),
    },
  ],
  'client-reports.cancellation-reported': [
    'client.replacement.different',
    'Whatever has the nonce of the swap is reported as the swap.',
    () => ({ isSameSwap: () => true }),
  ],
  'client-reports.replacement-by-target': [
    'client.replacement.different',
    'Whatever took the place of the swap and calls the same contract is reported as the swap.',
    misreadingReplacements((found, { to, data }) => (found.to === to ? { input: data } : {})),
  ],
  'client-reports.replacement-without-calldata': [
    'client.replacement.different',
    'Whatever took the place of the swap and has no calldata is reported as the swap.',
    misreadingReplacements(({ input }, { to, data, value }) =>
      input === '0x' ? { to, input: data, value } : {},
    ),
  ],
  'client-reports.kept-with-fees-alone': [
    'client.one-swap',
    'What was signed is kept only where a fee is transferred as well.',
    {
      ports: keeping((state) => ({
        save: async (kept) => {
          if (kept.signed?.feeTransfer !== null) await state.save(kept)
        },
      })),
    },
  ],
})
