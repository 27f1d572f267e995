import { anvilProcesses, deploy, hardhatNetwork, type Started } from './chains.ts'
import type { Isolation, MeasuredChain, Work } from './round.ts'

/** Another way to provide an untouched world for each test. */
export interface Peer {
  /** The package whose version is shown. */
  readonly from: 'anvil' | 'hardhat'
  readonly name: string
  readonly transport: 'HTTP' | 'in process'
  open(work: Work): Promise<Isolation>
}

/** The peers, in the order of the table. */
export const PEERS: readonly Peer[] = [
  {
    from: 'anvil',
    name: 'a process for each test, deployed',
    transport: 'HTTP',
    open: async (work) => eachFresh(await anvilProcesses(), (chain) => deploy(chain, work)),
  },
  {
    from: 'anvil',
    name: 'a fork of the world for each test',
    transport: 'HTTP',
    open: async (work) => {
      const upstream = await (await anvilProcesses())()
      await deploy(upstream.chain, work)
      const start = await anvilProcesses({
        forkUrl: upstream.chain.url,
        forkBlockNumber: Number(await upstream.chain.request('eth_blockNumber')),
        noStorageCaching: true,
      })
      const forks = eachFresh(start, async () => {})
      return {
        next: forks.next,
        close: async () => {
          await forks.close()
          await upstream.stop()
        },
      }
    },
  },
  {
    from: 'hardhat',
    name: 'a network, reverted for each test',
    transport: 'in process',
    open: async (work) => {
      const started = await hardhatNetwork()
      await deploy(started.chain, work)
      return eachReverted(started)
    },
  },
]

/** Gives each test its own chain, on which `fill` creates the world. */
function eachFresh(
  start: () => Promise<Started>,
  fill: (chain: MeasuredChain) => Promise<unknown>,
): Isolation {
  let last: Started | null = null
  return {
    next: async () => {
      await last?.stop()
      last = await start()
      await fill(last.chain)
      return last.chain
    },
    close: async () => {
      await last?.stop()
    },
  }
}

/** Shares one chain between tests, and reverts it to its snapshot before each. */
async function eachReverted({ chain, stop }: Started): Promise<Isolation> {
  let snapshot = await chain.request('evm_snapshot')
  return {
    next: async () => {
      if (!(await chain.request('evm_revert', [snapshot]))) throw new Error('the snapshot is gone')
      snapshot = await chain.request('evm_snapshot')
      return chain
    },
    close: async () => {
      await stop()
    },
  }
}
