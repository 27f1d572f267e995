import {
  BASE_FEE_WEI,
  BLOCK_GAS_LIMIT,
  DEV_MNEMONIC,
  GENESIS_TIMESTAMP_S,
  HARDFORK,
} from '../../src/sandbox/anvil.ts'
import { anvilBinaryPath } from '../../src/sandbox/binary.ts'
import { createRpc } from '../../src/sandbox/rpc.ts'
import { LIMITS } from '../../src/spec/limits.ts'
import { deployWorld } from '../../src/venues-mock/deploy/deployWorld.ts'
import { CREATE2_DEPLOYER } from '../../src/venues-mock/deploy/operators.ts'
import type { MeasuredChain, Work } from './round.ts'

/** A chain, and the function that stops it. */
export interface Started {
  readonly chain: MeasuredChain
  stop(): Promise<unknown>
}
type Request = (call: { method: string; params: readonly unknown[] }) => Promise<unknown>

/** The used parts of each library. They are installed only for a measurement, so nothing else may import them. */
interface Prool {
  readonly Instance: { anvil(flags: object): unknown }
  readonly Pool: {
    define(options: { instance: unknown }): {
      start(key: number): Promise<{ readonly url: string }>
      destroy(key: number): Promise<void>
    }
  }
}

interface Hardhat {
  createHardhatRuntimeEnvironment(config: object): Promise<{
    readonly network: {
      create(options: {
        readonly network: string
      }): Promise<{ readonly provider: { request: Request }; close(): Promise<void> }>
    }
  }>
}
const load = <Module>(name: string): Promise<Module> => import(name)

export async function deploy(chain: MeasuredChain, { create2Code }: Work): Promise<void> {
  await chain.request('anvil_setCode', [CREATE2_DEPLOYER, create2Code])
  await deployWorld(chain, { rpcUrl: 'http://127.0.0.1' })
}

/** Returns a function that starts an Anvil each time with prool, the successor of `@viem/anvil`. */
export async function anvilProcesses(flags: object = {}): Promise<() => Promise<Started>> {
  const { Instance, Pool } = await load<Prool>('prool')
  const instance = Instance.anvil({
    binary: anvilBinaryPath(),
    host: '127.0.0.1',
    chainId: LIMITS.chainId,
    hardfork: HARDFORK,
    gasLimit: BLOCK_GAS_LIMIT,
    blockBaseFeePerGas: BASE_FEE_WEI,
    mnemonic: DEV_MNEMONIC,
    noMining: true,
    order: 'fifo',
    ...flags,
  })
  const pool = Pool.define({ instance })
  let key = 0
  return async () => {
    key += 1
    const { url } = await pool.start(key)
    const own = key
    return { chain: overHttp(url), stop: () => pool.destroy(own) }
  }
}

/** Returns the Anvil at a URL, over HTTP as its users reach it. */
function overHttp(url: string): MeasuredChain {
  const rpc = createRpc({ url })
  return { ...rpc, mine: (count = 1) => rpc.request('anvil_mine', [hex(count)]) }
}

/** Starts a network of Hardhat 3 in this process. */
export async function hardhatNetwork(): Promise<Started> {
  const { createHardhatRuntimeEnvironment } = await load<Hardhat>('hardhat/hre')
  const { network } = await createHardhatRuntimeEnvironment({
    networks: {
      world: {
        type: 'edr-simulated',
        chainType: 'l1',
        chainId: LIMITS.chainId,
        hardfork: HARDFORK,
        blockGasLimit: BLOCK_GAS_LIMIT,
        initialBaseFeePerGas: BASE_FEE_WEI,
        initialDate: new Date(GENESIS_TIMESTAMP_S * 1000),
        mining: { auto: false, interval: 0, mempool: { order: 'fifo' } },
      },
    },
  })
  const { provider, close } = await network.create({ network: 'world' })
  const request: Request = ({ method, params }) => {
    // Hardhat takes a slot as a number without leading zeros.
    const [first, slot, ...rest] = params
    const inItsWay = method === 'anvil_setStorageAt' ? [first, hex(String(slot)), ...rest] : params
    return provider.request({ method: method.replace('anvil_', 'hardhat_'), params: inItsWay })
  }
  return { chain: inProcess(request), stop: close }
}

function inProcess(send: Request): MeasuredChain {
  const request = <Result>(method: string, params: readonly unknown[] = []) =>
    send({ method, params }) as Promise<Result>
  return {
    url: 'in process',
    request,
    batch: async (calls) => {
      const results: unknown[] = []
      for (const { method, params } of calls) results.push(await request(method, params))
      return results
    },
    close: () => {},
    mine: (count = 1) => request('anvil_mine', [hex(count)]),
  }
}

function hex(value: bigint | number | string): string {
  return `0x${BigInt(value).toString(16)}`
}
