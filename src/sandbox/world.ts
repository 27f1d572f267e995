import type { Manifest } from '../spec/manifest.ts'
import { deployWorld } from '../venues-mock/deploy/deployWorld.ts'
import { type AnvilNode, type AnvilOptions, BASE_FEE_WEI, startAnvil } from './anvil.ts'
import { type Block, mineUndescribed, readHead } from './blocks.ts'
import { chainSettings, createReset, type ResetMoment, type ResetOutcome } from './reset.ts'
import { createRpc } from './rpc.ts'
import { createSigner } from './signer.ts'

/** A node with a fresh world. */
export interface World {
  readonly node: AnvilNode
  readonly manifest: Manifest
  /** The newest block of the deployment. */
  readonly base: Block
  reset(moment: ResetMoment): Promise<ResetOutcome>
  stop(): Promise<void>
}

/**
 * Starts a node, deploys the world and takes the snapshot for resets. The same options give the same world.
 *
 * @throws the errors of `startAnvil` and `deployWorld`, after stopping the node
 */
export async function bootWorld(options: AnvilOptions): Promise<World> {
  const node = await startAnvil(options)
  const rpc = createRpc({ url: node.url, ended: node.ended })
  const stop = async () => {
    rpc.close()
    await node.stop()
  }
  try {
    await rpc.batch(chainSettings(BASE_FEE_WEI))
    const client = { request: rpc.request, batch: rpc.batch, mine: () => mineUndescribed(rpc, 1) }
    const manifest = await deployWorld(client, { rpcUrl: node.url, createSigner })
    const base = await readHead(rpc)
    return { node, manifest, base, reset: await createReset(rpc, BASE_FEE_WEI), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
