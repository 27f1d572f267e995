import { createCarrier } from '../../sandbox/rpc.ts'
import type { DrivenChain } from '../../simulation/world/drivenChain.ts'
import type { Transport } from '../../spec/exchange.ts'
import type { Goal } from '../../spec/goal.ts'
import type { TargetChain } from '../chain/targetChain.ts'
import type { TargetKeys } from '../description.ts'
import type { ClientContext } from '../environment/clients.ts'
import type { Tap } from '../transports/tap.ts'
import { tapCarrier, tapService } from '../transports/tapClient.ts'

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
