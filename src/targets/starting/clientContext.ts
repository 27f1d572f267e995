import { messagesIn } from '../../sandbox/jsonRpc.ts'
import { type Carrier, createCarrier, type Rpc } from '../../sandbox/rpc.ts'
import type { DrivenChain } from '../../simulation/world/drivenChain.ts'
import type { Transport } from '../../spec/exchange.ts'
import type { Goal } from '../../spec/goal.ts'
import { parseJson } from '../../spec/json.ts'
import { confirmBodySchema } from '../../spec/requests.ts'
import type { TargetChain } from '../chain/targetChain.ts'
import type { TargetKeys } from '../description.ts'
import type { ClientContext } from '../environment/clients.ts'
import { type Tap, tapTransport } from '../transports/tap.ts'

/** A service outside this process, as a client meets it. */
interface Outside {
  readonly http: Transport
  readonly tap: Tap | null
  readonly targetChain: Pick<TargetChain, 'manifest' | 'rpc'>
  readonly keys: TargetKeys
  control(): DrivenChain
  /** The first nonce with which no swap of the same amount and tokens was sent before. */
  readonly unused: Map<string, number>
}

const TRANSFER_GAS = 21_000n

const swapOf = ({ amount, from, to }: Goal) => `${amount} ${from.symbol} ${to.symbol}`

/** Returns the service of a client, through its socket, and the node of its chain; both are recorded if there is a tap. */
export function clientContext({ http, tap, targetChain, keys, control, unused }: Outside): ClientContext {
  const { manifest, rpc } = targetChain
  const chain = control()
  return {
    chain,
    service: tap === null || rpc === null ? http : tapService(http, tap, rpc, keys),
    open: () => {
      const carrier = createCarrier({ url: manifest.rpcUrl })
      return tap === null ? carrier : tapCarrier(carrier, tap)
    },
    prepare: async ({ account, goal }) => {
      // The chain is restored after each case, but the service is not: the same swap with the same nonce has the same hash.
      const wallet = chain.wallet(account)
      const missing = (unused.get(swapOf(goal)) ?? 0) - (await wallet.nonce())
      if (missing <= 0) return
      for (let sent = 0; sent < missing; sent += 1)
        await wallet.send({ to: wallet.address, gas: TRANSFER_GAS })
      await chain.mine()
    },
    ended: ({ goal, transactions }) => {
      const nonces = transactions.map(({ nonce }) => nonce + 1)
      unused.set(swapOf(goal), Math.max(unused.get(swapOf(goal)) ?? 0, ...nonces))
    },
  }
}

/** Returns the node of a client with its transactions recorded: they change the chain as commands of the run do. */
function tapCarrier(carrier: Carrier, tap: Pick<Tap, 'control'>): Carrier {
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
function tapService(transport: Transport, tap: Tap, rpc: Rpc, keys: TargetKeys): Transport {
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
