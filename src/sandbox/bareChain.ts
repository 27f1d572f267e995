import { type AnvilNode, BASE_FEE_WEI, startAnvil } from './anvil.ts'
import { createChain } from './chain.ts'
import { chainSettings, createReset } from './reset.ts'
import { createRpc, type Rpc } from './rpc.ts'

/** Returns a chain without deployed contracts, for tests of the chain itself. `reset` returns to the genesis block. */
export async function startBareChain() {
  const node: AnvilNode = await startAnvil()
  const rpc: Rpc = createRpc({ url: node.url, ended: node.ended })
  await rpc.batch(chainSettings(BASE_FEE_WEI))
  const chain = createChain(rpc, 0n)
  const goBack = await createReset(rpc, BASE_FEE_WEI)
  return {
    rpc,
    chain,
    async reset() {
      await goBack()
      chain.forgetBranches()
    },
    async stop() {
      rpc.close()
      await node.stop()
    },
  }
}
