import { type Hex, keccak256, parseTransaction, type TransactionSerializable } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { ClientSeams } from '../../src/client/inProcessProgram.ts'
import { REJECTIONS } from '../../src/client/namedFaults.ts'
import type { ClientPorts } from '../../src/client/reference/ports.ts'
import type { Defect } from '../../src/runner/proof/defect.ts'
import { RpcConnectionError } from '../../src/sandbox/rpc.ts'
import { LIMITS } from '../../src/spec/limits.ts'
import { afterStatus, brokenClients, callingNode, meaningOf, readingResponses } from './helpers/clients.ts'

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

/** Actions of a client that lost the response to a transaction. */
interface FailedSend {
  readonly raw: Hex
  readonly ports: ClientPorts
  /** Never sends these bytes again. */
  forget(raw: Hex): void
  /** Signs the same with a later nonce. */
  resign(later: number): Promise<Hex>
}

const ifSendFails = (react: (failed: FailedSend) => Promise<unknown>) =>
  callingNode((ports) => {
    const forgotten = new Set<string>()
    return async ({ method, params, send }) => {
      if (method !== 'eth_sendRawTransaction') return send()
      const raw = params[0] as Hex
      if (forgotten.has(raw)) return null
      try {
        return await send()
      } catch (error) {
        if (!(error instanceof RpcConnectionError)) throw error
        const resign = (later: number) => signedLater(raw, later, ports)
        return react({ raw, ports, resign, forget: (bytes) => forgotten.add(bytes) })
      }
    }
  })

function signedLater(raw: Hex, later: number, { privateKey }: ClientPorts): Promise<Hex> {
  const { to, data, value, nonce = 0, gas, maxFeePerGas, maxPriorityFeePerGas } = parseTransaction(raw)
  const fees = { maxFeePerGas, maxPriorityFeePerGas }
  const again = { to, data, value, gas, ...fees, nonce: nonce + later, chainId: LIMITS.chainId }
  return privateKeyToAccount(privateKey).signTransaction({
    ...again,
    type: 'eip1559',
  } as TransactionSerializable)
}

/** Clients that repeat wrongly what failed, or not at all. */
export const clientRetryDefects: readonly Defect[] = brokenClients({
  'client-retries.build-hammered': [
    'client.build-backoff',
    'A build that is 502 is asked for again at once.',
    afterStatus(502, () => 20),
  ],
  'client-retries.build-not-retried': [
    'client.build-backoff',
    'A build that is 502 is given up.',
    meaningOf('build', [502], 'rejected'),
  ],
  'client-retries.confirm-hammered': [
    'client.confirm-backoff',
    'A report that is 503 is repeated at once.',
    afterStatus(503, () => 20),
  ],
  'client-retries.confirm-not-retried': [
    'client.confirm-backoff',
    'A report that is 503 is given up.',
    meaningOf('confirm', [503], 'rejected'),
  ],
  'client-retries.confirm-pause-ignored': [
    'client.confirm-backoff',
    '`Retry-After` of 503 is ignored.',
    afterStatus(503, (attempt) => 250 * 2 ** attempt),
  ],
  'client-retries.confirm-pause-kept-once': [
    'client.confirm-backoff',
    '`Retry-After` of 503 is kept the first time alone.',
    afterStatus(503, (attempt, _, usualMs) => (attempt === 0 ? usualMs : 250 * 2 ** attempt)),
  ],
  'client-retries.confirm-retried-twice': [
    'client.confirm-backoff',
    'A report that is 503 is given up after the third time.',
    afterStatus(503, (attempt, _, usualMs) => (attempt >= 2 ? null : usualMs)),
  ],
  'client-retries.budget-ignored': [
    'client.budget',
    '`Retry-After` of 429 is ignored.',
    afterStatus(429, () => 300),
  ],
  'client-retries.constant-pauses': [
    'client.retries-bounded',
    'A request that fails is repeated every 300 ms, however often it has failed.',
    ({ pauseMs }) => ({
      pauseMs: (attempt, response, nowMs) =>
        response?.headers['retry-after'] === undefined ? 300 : pauseMs(attempt, response, nowMs),
    }),
  ],
  'client-retries.for-ever': [
    'client.retries-bounded',
    'A build that fails is repeated for ever.',
    { ports: ({ goal }) => ({ goal: { ...goal, timeoutS: 1_000_000 } }) },
  ],
  ...Object.fromEntries(
    REJECTIONS.map((refused) => [
      `client-retries.rejection-repeated.${refused}`,
      [
        'client.rejection-final' as const,
        `A report that is refused with ${refused} is repeated until the time is over.`,
        meaningOf('confirm', [refused], 'again'),
      ] as const,
    ]),
  ),
  'client-retries.rejection-is-done': [
    'client.rejection-final',
    'A report that is refused is taken for done: the swap is on the chain.',
    meaningOf('confirm', REJECTIONS, 'final'),
  ],
  'client-retries.strict-parser': [
    'client.done-when-recorded',
    'A response with a field that is not known is an error.',
    readingResponses((response) =>
      response.body.includes('"notice"') ? { ...response, status: 418 } : response,
    ),
  ],
  'client-retries.recorded-before-is-failure': [
    'client.done-when-recorded',
    'A report that was recorded before is taken for that of another client.',
    readingResponses((response) =>
      response.body.includes('"alreadyRecorded":true') ? { ...response, status: 409 } : response,
    ),
  ],
  'client-retries.lost-quote-fatal': [
    'client.done-when-recorded',
    'A quote whose response is lost ends the client.',
    { ports: fatalAt('/quote') },
  ],
  'client-retries.lost-build-fatal': [
    'client.done-when-recorded',
    'A build whose response is lost ends the client.',
    { ports: fatalAt('/build') },
  ],
  'client-retries.unsent-forgotten': [
    'client.done-when-recorded',
    'A swap that did not reach the node is not sent again.',
    {
      ports: ifSendFails(async ({ raw, forget }) => {
        forget(raw)
        return null
      }),
    },
  ],
  'client-retries.sent-taken-for-failed': [
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
  'client-retries.fee-sent-again': [
    'client.fee-transfer.once',
    'A fee transfer whose response is lost is paid once more.',
    {
      ports: ifSendFails(async ({ raw, ports, resign }) => {
        if (parseTransaction(raw).data !== undefined) return null
        return ports.rpc.request('eth_sendRawTransaction', [await resign(2)])
      }),
    },
  ],
  'client-retries.lost-response-fatal': [
    'client.done-when-recorded',
    'A connection that is cut ends the client.',
    ({ pauseMs }) => ({
      pauseMs: (attempt, response, nowMs) => (response === null ? null : pauseMs(attempt, response, nowMs)),
    }),
  ],
  'client-retries.says-failed': [
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
