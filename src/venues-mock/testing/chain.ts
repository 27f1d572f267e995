import { type Abi, decodeErrorResult, type Hex, hexToBigInt, numberToHex } from 'viem'
import { NATIVE } from '../../fixtures/canonical.ts'
import type { DeployClient } from '../deploy/client.ts'

export interface Call {
  readonly to: Hex
  readonly data?: Hex
  readonly value?: bigint
  readonly gas?: bigint
}

export interface Outcome {
  readonly succeeded: boolean
  readonly gasUsed: bigint
  /** Gas paid by the sender, in wei. */
  readonly gasCostRaw: bigint
}

/** A custom error with which a call reverts. */
interface Thrown {
  readonly errorName: string
  readonly args: readonly unknown[]
}

/** Enough for a V3 quote that walks an empty pool to the end of its price range, which takes above 3,000,000. */
const GAS = 10_000_000n

/** Sends, calls and reads, for tests of contracts. Senders are accounts whose keys the node has. */
export interface TestChain {
  /** Sends one transaction and mines it in a separate block. */
  send(from: Hex, call: Call): Promise<Outcome>
  /** Returns the return data of a call. Rejects when it reverts. */
  call(from: Hex, call: Call): Promise<Hex>
  /**
   * Returns the custom error with which a call would revert.
   *
   * @throws it would not revert, or not with an error of `abi`.
   */
  revertOf(from: Hex, call: Call, abi: Abi): Promise<Thrown>
  /** Returns the balance of a token, or of the native coin at address zero. */
  balance(token: Hex, owner: Hex): Promise<bigint>
}

export function testChain(client: DeployClient): TestChain {
  const wire = (from: Hex, { to, data = '0x', value = 0n, gas = GAS }: Call) => ({
    from,
    to,
    data,
    value: numberToHex(value),
    gas: numberToHex(gas),
  })
  const call = async (from: Hex, request: Call) =>
    (await client.request('eth_call', [wire(from, request), 'latest'])) as Hex

  return {
    call,
    async send(from, request) {
      const hash = await client.request('eth_sendTransaction', [wire(from, request)])
      await client.mine()
      const receipt = (await client.request('eth_getTransactionReceipt', [hash])) as {
        readonly status: Hex
        readonly gasUsed: Hex
        readonly effectiveGasPrice: Hex
      }
      const gasUsed = hexToBigInt(receipt.gasUsed)
      return {
        succeeded: receipt.status === '0x1',
        gasUsed,
        gasCostRaw: gasUsed * hexToBigInt(receipt.effectiveGasPrice),
      }
    },
    async revertOf(from, request, abi) {
      const thrown: unknown = await call(from, request).then(
        (data) => {
          throw new Error(`it did not revert but returned ${data}`)
        },
        (error: unknown) => error,
      )
      const data = (thrown as { readonly data?: Hex }).data
      if (data === undefined) throw thrown
      const { errorName, args } = decodeErrorResult({ abi, data })
      return { errorName: errorName ?? '', args: args ?? [] }
    },
    async balance(token, owner) {
      if (token === NATIVE)
        return hexToBigInt((await client.request('eth_getBalance', [owner, 'latest'])) as Hex)
      // balanceOf(address)
      return hexToBigInt(
        await call(owner, { to: token, data: `0x70a08231${owner.slice(2).padStart(64, '0')}` }),
      )
    },
  }
}
