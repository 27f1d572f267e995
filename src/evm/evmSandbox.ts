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

/** Appears in errors only; nothing listens there. */
const URL = 'http://evm.invalid'

/** The resets of a node in this process are unlimited: unused states are garbage-collected. */
const ANY_NUMBER = Number.POSITIVE_INFINITY

/**
 * Returns the world on a node in this process instead of Anvil, with the same blocks and responses, to the byte. It takes about
 * twice Anvil's time, and starts no process.
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

/** Waits for one turn of the event loop, without reading a clock. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Carries bodies to a node in this process. */
function carrierOf(node: EvmNode): Carrier {
  return {
    send: async (body) => {
      const answer = await exchange(node, body)
      // As over a socket, no response arrives before everything that was sent in the same turn.
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

/** Returns the response to a JSON-RPC body: a single call, or a batch, whose calls are executed in order. */
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
