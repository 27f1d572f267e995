import { messagesIn } from '../../sandbox/jsonRpc.ts'
import type { Carrier, Rpc } from '../../sandbox/rpc.ts'
import type { Transport } from '../../spec/exchange.ts'
import { parseJson } from '../../spec/json.ts'
import { confirmBodySchema } from '../../spec/requests.ts'
import type { TargetKeys } from '../description.ts'
import { type Tap, tapTransport } from './tap.ts'

/** Returns the node of a client with its transactions recorded: they change the chain as commands of the run do. */
export function tapCarrier(carrier: Carrier, tap: Pick<Tap, 'control'>): Carrier {
  return {
    send: async (body) => {
      const sends = messagesIn(body).flatMap((call) =>
        call?.method === 'eth_sendRawTransaction' ? [call] : [],
      )
      const ends = sends.map(({ id, params }) => ({
        id,
        end: tap.control('eth_sendRawTransaction', params ?? []),
      }))
      try {
        const answer = await carrier.send(body)
        const refused = new Set(messagesIn(answer).flatMap((reply) => (reply?.error ? [reply.id] : [])))
        for (const { id, end } of ends) await end(refused.has(id) ? 'RpcError' : null)
        return answer
      } catch (error) {
        for (const { end } of ends) await end('RpcConnectionError')
        throw error
      }
    },
    close: () => carrier.close(),
  }
}

/**
 * Returns the service of a client with its exchanges recorded, each report with the state of its transaction. Nothing else may
 * change the chain meanwhile.
 */
export function tapService(transport: Transport, tap: Tap, rpc: Rpc, keys: TargetKeys): Transport {
  const tapped = tapTransport(transport, tap)
  const secrets = new Map(
    Object.values<TargetKeys[keyof TargetKeys]>(keys).flatMap((key) =>
      key === undefined ? [] : [[`Bearer ${key.secret}`, key.kind] as [string, string]],
    ),
  )
  return async (request) => {
    const { data } = confirmBodySchema.safeParse(
      request.path === '/api/v1/swap/confirm' ? parseJson(request.body ?? '') : null,
    )
    const kind = secrets.get(request.headers.authorization ?? '')
    if (data === undefined || kind === undefined) return tapped(request)
    const txHash = data.txHash.toLowerCase()
    const state = await stateOf(rpc, txHash)
    const response = await tapped(request)
    tap.ofCase.reported(request, [
      {
        ...{ txHash, malformed: null, verification: 'available', budget: 'unknown' },
        key: kind === 'legacy' ? 'legacy' : 'active',
        transactions: new Map([[txHash, { state }]]),
        answer: response,
      },
    ])
    return response
  }
}

async function stateOf(rpc: Rpc, hash: string): Promise<'unknown' | 'pending' | 'mined'> {
  const found = await rpc.request<{ readonly blockHash: string | null } | null>('eth_getTransactionByHash', [
    hash,
  ])
  if (found === null) return 'unknown'
  return found.blockHash === null ? 'pending' : 'mined'
}
