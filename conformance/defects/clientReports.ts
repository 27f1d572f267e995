import { type Hex, keccak256, parseTransaction, type TransactionSerializable } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { ClientSeams } from '../../src/client/inProcessProgram.ts'
import { REJECTIONS } from '../../src/client/namedFaults.ts'
import type { ClientPorts, StateStore } from '../../src/client/reference/ports.ts'
import type { ClientRules } from '../../src/client/reference/rules.ts'
import type { Defect } from '../../src/runner/proof/defect.ts'
import { RpcConnectionError } from '../../src/sandbox/rpc.ts'
import { LIMITS } from '../../src/spec/limits.ts'
import { brokenClients } from './helpers/clients.ts'

/** Changes what a client keeps. */
const keeping =
  (change: (state: StateStore) => Partial<StateStore>): NonNullable<ClientSeams['ports']> =>
  ({ state }) => ({ state: { ...state, ...change(state) } })

const FORGETS = keeping(() => ({ load: async () => null }))

/** Sends a transaction again, signed anew, where the node was silent. */
const lower = (text: string | undefined) => text?.toLowerCase() ?? ''

/** Ends the client where the response to a path is lost. */
const fatalAt =
  (path: string): NonNullable<ClientSeams['ports']> =>
  ({ http }) => ({
    http: async (request) => {
      try {
        return await http(request)
      } catch (error) {
        if (!request.path.includes(path)) throw error
        return { status: 418, headers: {}, body: '{}' }
      }
    },
  })

/** What a client does where the response to a transaction is lost. */
interface FailedSend {
  readonly raw: Hex
  readonly ports: ClientPorts
  /** Never sends these bytes again. */
  forget(raw: Hex): void
  /** Signs the same with a later nonce. */
  resign(later: number): Promise<Hex>
}

const ifSendFails =
  (react: (failed: FailedSend) => Promise<unknown>): NonNullable<ClientSeams['ports']> =>
  (ports) => {
    const forgotten = new Set<string>()
    return {
      rpc: {
        ...ports.rpc,
        request: async <Result>(method: string, params?: readonly unknown[]) => {
          if (method !== 'eth_sendRawTransaction') return ports.rpc.request<Result>(method, params)
          const raw = params?.[0] as Hex
          if (forgotten.has(raw)) return null as Result
          try {
            return await ports.rpc.request<Result>(method, params)
          } catch (error) {
            if (!(error instanceof RpcConnectionError)) throw error
            const resign = (later: number) => signedLater(raw, later, ports)
            return (await react({ raw, ports, resign, forget: (bytes) => forgotten.add(bytes) })) as Result
          }
        },
      },
    }
  }

function signedLater(raw: Hex, later: number, { privateKey }: ClientPorts): Promise<Hex> {
  const { to, data, value, nonce = 0, gas, maxFeePerGas, maxPriorityFeePerGas } = parseTransaction(raw)
  const again = {
    to,
    data,
    value,
    gas,
    maxFeePerGas,
    maxPriorityFeePerGas,
    nonce: nonce + later,
    chainId: LIMITS.chainId,
  }
  return privateKeyToAccount(privateKey).signTransaction({
    ...again,
    type: 'eip1559',
  } as TransactionSerializable)
}

/** Clients that report wrongly, repeat wrongly, or forget. */
export const clientReportDefects: readonly Defect[] = brokenClients({
  'client-reports.fee-hash': [
    'client.reports-swap',
    'The hash of the fee transfer is reported where there is one.',
    {
      rules: ({ report }) => ({
        report: (build, hashes) => report(build, { ...hashes, swap: hashes.feeTransfer ?? hashes.swap }),
      }),
    },
  ],
  'client-reports.never': [
    'client.reports-swap',
    'The swap is never reported: the partner gets no credit.',
    { rules: () => ({ report: () => null }) },
  ],
  'client-reports.unknown-hash': [
    'client.reports-swap',
    'The hash is reported with its last digit changed.',
    {
      rules: ({ report }) => ({
        report: (build, { swap, ...hashes }) =>
          report(build, { ...hashes, swap: `${swap.slice(0, -1)}${swap.endsWith('0') ? '1' : '0'}` }),
      }),
    },
  ],
  'client-reports.quote-id': [
    'client.confirm.build-id',
    'The id of the quote is reported instead of that of the build.',
    {
      rules: ({ report }) => ({
        report: (build, hashes) => {
          const body = report(build, hashes)
          return body === null ? null : { ...body, buildId: build.route.quoteId }
        },
      }),
    },
  ],
  'client-reports.made-up-id': [
    'client.no-attribution-no-report',
    'Without attribution the id of the quote is reported.',
    {
      rules: ({ report }) => ({
        report: (build, hashes) =>
          report(build, hashes) ?? { buildId: build.route.quoteId, txHash: hashes.swap },
      }),
    },
  ],
  'client-reports.retry-after-ignored': [
    'client.retry-after',
    'A report is repeated every 250 ms, whatever `Retry-After` says.',
    {
      rules: ({ pauseMs }) => ({
        pauseMs: (attempt, response, nowMs) =>
          response?.status === 202 ? 250 : pauseMs(attempt, response, nowMs),
      }),
    },
  ],
  'client-reports.retry-after-as-ms': [
    'client.retry-after',
    '`Retry-After` is taken for milliseconds.',
    {
      rules: ({ pauseMs }) => ({
        pauseMs: (attempt, response, nowMs) =>
          response?.status === 202
            ? Number(response.headers['retry-after'] ?? 1)
            : pauseMs(attempt, response, nowMs),
      }),
    },
  ],
  'client-reports.retry-after-date-ignored': [
    'client.retry-after',
    '`Retry-After` is read as a number alone: a date is taken for no pause.',
    {
      rules: ({ pauseMs }) => ({
        pauseMs: (attempt, response, nowMs) =>
          Number.isNaN(Number(response?.headers['retry-after'] ?? 0))
            ? 250
            : pauseMs(attempt, response, nowMs),
      }),
    },
  ],
  'client-reports.once': [
    'client.persists-and-retries',
    'A swap is reported once; 202 is taken for success.',
    {
      rules: ({ meaning }) => ({
        meaning: (on, status) => (on === 'confirm' && status === 202 ? 'final' : meaning(on, status)),
      }),
    },
  ],
  'client-reports.gives-up': [
    'client.persists-and-retries',
    'A report that is 202 five times is given up.',
    {
      rules: ({ pauseMs }) => ({
        pauseMs: (attempt, response, nowMs) =>
          response?.status === 202 && attempt >= 4 ? null : pauseMs(attempt, response, nowMs),
      }),
    },
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
    {
      ports: ({ rpc }) => {
        const sent = new Set<string>()
        return {
          rpc: {
            ...rpc,
            request: async <Result>(method: string, params?: readonly unknown[]) => {
              const raw = method === 'eth_sendRawTransaction' ? lower(String(params?.[0])) : null
              if (raw !== null && sent.has(raw)) return null as Result
              const result = await rpc.request<Result>(method, params)
              if (raw !== null) sent.add(raw)
              return result
            },
          },
        }
      },
    },
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
      ports: ({ rpc, goal }) => ({
        goal: { ...goal, timeoutS: 1_000_000 },
        rpc: {
          ...rpc,
          request: async <Result>(method: string, params?: readonly unknown[]) =>
            method === 'eth_getTransactionCount' && params?.[1] === 'latest'
              ? ('0x0' as Result)
              : rpc.request<Result>(method, params),
        },
      }),
    },
  ],
  'client-reports.cancellation-reported': [
    'client.replacement.different',
    'Whatever has the nonce of the swap is reported as the swap.',
    { rules: () => ({ isSameSwap: () => true }) },
  ],
  'client-reports.build-hammered': [
    'client.build-backoff',
    'A build that is 502 is asked for again at once.',
    {
      rules: ({ pauseMs }) => ({
        pauseMs: (attempt, response, nowMs) =>
          response?.status === 502 ? 20 : pauseMs(attempt, response, nowMs),
      }),
    },
  ],
  'client-reports.build-not-retried': [
    'client.build-backoff',
    'A build that is 502 is given up.',
    {
      rules: ({ meaning }) => ({
        meaning: (on, status) => (status === 502 ? 'rejected' : meaning(on, status)),
      }),
    },
  ],
  'client-reports.confirm-hammered': [
    'client.confirm-backoff',
    'A report that is 503 is repeated at once.',
    {
      rules: ({ pauseMs }) => ({
        pauseMs: (attempt, response, nowMs) =>
          response?.status === 503 ? 20 : pauseMs(attempt, response, nowMs),
      }),
    },
  ],
  'client-reports.confirm-not-retried': [
    'client.confirm-backoff',
    'A report that is 503 is given up.',
    {
      rules: ({ meaning }) => ({
        meaning: (on, status) => (status === 503 ? 'rejected' : meaning(on, status)),
      }),
    },
  ],
  'client-reports.confirm-pause-ignored': [
    'client.confirm-backoff',
    '`Retry-After` of 503 is ignored.',
    {
      rules: ({ pauseMs }) => ({
        pauseMs: (attempt, response, nowMs) =>
          response?.status === 503 ? 250 * 2 ** attempt : pauseMs(attempt, response, nowMs),
      }),
    },
  ],
  'client-reports.confirm-retried-twice': [
    'client.confirm-backoff',
    'A report that is 503 is given up after the third time.',
    {
      rules: ({ pauseMs }) => ({
        pauseMs: (attempt, response, nowMs) =>
          response?.status === 503 && attempt >= 2 ? null : pauseMs(attempt, response, nowMs),
      }),
    },
  ],
  'client-reports.budget-ignored': [
    'client.budget',
    '`Retry-After` of 429 is ignored.',
    {
      rules: ({ pauseMs }) => ({
        pauseMs: (attempt, response, nowMs) =>
          response?.status === 429 ? 300 : pauseMs(attempt, response, nowMs),
      }),
    },
  ],
  'client-reports.constant-pauses': [
    'client.retries-bounded',
    'A request that fails is repeated every 300 ms, however often it has failed.',
    {
      rules: ({ pauseMs }) => ({
        pauseMs: (attempt, response, nowMs) =>
          response?.headers['retry-after'] === undefined ? 300 : pauseMs(attempt, response, nowMs),
      }),
    },
  ],
  'client-reports.for-ever': [
    'client.retries-bounded',
    'A build that fails is repeated for ever.',
    {
      ports: ({ time, goal }) => ({ time, goal: { ...goal, timeoutS: 1_000_000 } }),
    },
  ],
  ...Object.fromEntries(
    REJECTIONS.map((refused) => [
      `client-reports.rejection-repeated.${refused}`,
      [
        'client.rejection-final' as const,
        `A report that is refused with ${refused} is repeated until the time is over.`,
        {
          rules: ({ meaning }: ClientRules) => ({
            meaning: (on: 'quote' | 'build' | 'confirm', status: number) =>
              on === 'confirm' && status === refused ? ('again' as const) : meaning(on, status),
          }),
        },
      ] as const,
    ]),
  ),
  'client-reports.rejection-is-done': [
    'client.rejection-final',
    'A report that is refused is taken for done: the swap is on the chain.',
    {
      rules: ({ meaning }) => ({
        meaning: (on, status) =>
          on === 'confirm' && status >= 400 && status < 500 ? 'final' : meaning(on, status),
      }),
    },
  ],
  'client-reports.strict-parser': [
    'client.done-when-recorded',
    'A response with a field that is not known is an error.',
    {
      ports: ({ http }) => ({
        http: async (request) => {
          const response = await http(request)
          return response.body.includes('"notice"') ? { ...response, status: 418 } : response
        },
      }),
    },
  ],
  'client-reports.lost-quote-fatal': [
    'client.done-when-recorded',
    'A quote whose response is lost ends the client.',
    { ports: fatalAt('/quote') },
  ],
  'client-reports.lost-build-fatal': [
    'client.done-when-recorded',
    'A build whose response is lost ends the client.',
    { ports: fatalAt('/build') },
  ],
  'client-reports.unsent-forgotten': [
    'client.done-when-recorded',
    'A swap that did not reach the node is not sent again.',
    {
      ports: ifSendFails(async ({ raw, forget }) => {
        forget(raw)
        return null
      }),
    },
  ],
  'client-reports.sent-taken-for-failed': [
    'client.one-swap',
    'A swap whose response is lost is signed anew, also where the node has it.',
    {
      ports: ifSendFails(async ({ raw, ports, resign }) => {
        const known = await ports.rpc.request('eth_getTransactionByHash', [keccak256(raw)]).catch(() => null)
        if (known === null || parseTransaction(raw).data === undefined) return null
        return ports.rpc.request('eth_sendRawTransaction', [await resign(1)])
      }),
    },
  ],
  'client-reports.fee-sent-again': [
    'client.fee-transfer.once',
    'A fee transfer whose response is lost is paid once more.',
    {
      ports: ifSendFails(async ({ raw, ports, resign }) => {
        if (parseTransaction(raw).data !== undefined) return null
        return ports.rpc.request('eth_sendRawTransaction', [await resign(2)])
      }),
    },
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
  'client-reports.lost-response-fatal': [
    'client.done-when-recorded',
    'A connection that is cut ends the client.',
    {
      rules: ({ pauseMs }) => ({
        pauseMs: (attempt, response, nowMs) => (response === null ? null : pauseMs(attempt, response, nowMs)),
      }),
    },
  ],
  'client-reports.says-failed': [
    'client.done-when-recorded',
    'A recorded swap is called failed, as the user closed the page.',
    {
      ports: ({ print }) => ({
        print: (line) => {
          if (line.includes('"done"')) throw new Error('the page is closed')
          print(line)
        },
      }),
    },
  ],
})
