import { ACCOUNTS } from '../fixtures/accounts.ts'
import { BASE_FEE_WEI } from '../fixtures/chain.ts'
import { readHead } from '../sandbox/blocks.ts'
import { createChain } from '../sandbox/chain.ts'
import { chainSettings, createReset } from '../sandbox/reset.ts'
import { type Carrier, createRpc } from '../sandbox/rpc.ts'
import type { Sandbox, SandboxOptions } from '../sandbox/sandbox.ts'
import { tapRpc } from '../sandbox/tapRpc.ts'
import { createWallet } from '../sandbox/wallet.ts'
import { baseWorld } from './baseWorld.ts'
import type { EvmNode } from './node/evmNode.ts'

/** Names the node in errors; nothing listens there. */
const URL = 'http://evm.invalid'

/** Nobody counts the resets of a node in this process: it keeps no state that nobody has. */
const ANY_NUMBER = Number.POSITIVE_INFINITY

/**
 * Returns the world on a node in this process, instead of Anvil: the same blocks, and the same answers, to the byte. It takes about
 * twice Anvil's time, and no process.
 */
export async function startEvmSandbox({ tap }: Pick<SandboxOptions, 'tap'> = {}): Promise<Sandbox> {
  const world = await baseWorld()
  const node = world.node.fork()
  const open = () => carrierOf(node)
  const bare = createRpc({ url: URL, carrier: open() })
  const rpc = tap === undefined ? bare : tapRpc(bare, tap)
  await bare.batch(chainSettings(BASE_FEE_WEI))
  const base = await readHead(rpc)
  const chain = createChain(rpc, base.number)
  const reset = await createReset(bare, BASE_FEE_WEI, ANY_NUMBER)
  return {
    manifest: world.manifest,
    rpc,
    chain,
    base,
    open,
    ended: new Promise(() => {}),
    wallet: (name) => createWallet(rpc, chain, ACCOUNTS[name].privateKey),
    reset: async () => {
      await reset()
      chain.forgetBranches()
    },
    stop: async () => {},
  }
}

/** Waits for one turn of the event loop: it reads no clock. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Carries bodies to a node in this process. */
function carrierOf(node: EvmNode): Carrier {
  return {
    send: async (body) => {
      const answer = await exchange(node, body)
      // As over a socket, no answer comes before everything that was sent in the same turn.
      await nextTurn()
      return answer
    },
    close: () => {},
  }
}

interface JsonRpcCall {
  readonly id: unknown
  readonly method: string
  readonly params?: readonly unknown[]
}

/** Returns the answer to a body of JSON-RPC: to one call, or to a batch of them, which are carried out in their order. */
async function exchange(node: EvmNode, body: string): Promise<string> {
  const asked = JSON.parse(body) as JsonRpcCall | readonly JsonRpcCall[]
  const answered = async ({ id, method, params = [] }: JsonRpcCall) => ({
    jsonrpc: '2.0',
    id,
    ...(await node.answer(method, params)),
  })
  if (!Array.isArray(asked)) return JSON.stringify(await answered(asked as JsonRpcCall))
  return JSON.stringify(await Promise.all(asked.map(answered)))
}
