import { type AnvilNode, type AnvilOptions, startAnvil } from './anvil.ts'

/** A chain without blocks, for worlds to fork. */
export type EmptyChain = Pick<AnvilNode, 'url' | 'ended' | 'stop'>

interface Shared {
  readonly node: Promise<AnvilNode>
  leases: number
}

/** The empty chains of this process, by genesis time. They are never written to, so any number of worlds can fork one. */
const shared = new Map<number | undefined, Shared>()

/**
 * Returns this process's empty chain with this genesis time. It is started for the first world and stopped with the last.
 *
 * @throws the errors of `startAnvil`.
 */
export async function leaseEmptyChain(options: Pick<AnvilOptions, 'timestampS'>): Promise<EmptyChain> {
  const { timestampS } = options
  const chain = shared.get(timestampS) ?? { node: startAnvil({ ...options, threads: 1 }), leases: 0 }
  shared.set(timestampS, chain)
  chain.leases += 1
  const forget = () => {
    if (shared.get(timestampS) === chain) shared.delete(timestampS)
  }
  const node = await chain.node.catch((error: unknown) => {
    forget()
    throw error
  })
  void node.ended.then(forget)
  let isHeld = true
  return {
    url: node.url,
    ended: node.ended,
    stop: async () => {
      if (!isHeld) return
      isHeld = false
      chain.leases -= 1
      if (chain.leases > 0) return
      forget()
      await node.stop()
    },
  }
}
