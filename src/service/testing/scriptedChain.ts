import { decodeFunctionData, type Hex, numberToHex } from 'viem'
import { word } from '../chain/words.ts'
import type { Chain, RpcCall, RpcReply } from '../ports.ts'
import type { Address } from '../requests.ts'
import { adapterAbi, directQuoteAbi } from '../venues/abi.ts'
import { AT } from './manifest.ts'

/** One call of a simulated block, as in the JSON. */
export interface SeenCall {
  readonly from: string | undefined
  readonly to: string
  readonly data: Hex
  readonly value: string | undefined
  readonly gas: string | undefined
}

type Answer = Hex | 'revert'
type Contract = (call: SeenCall) => Answer

/** Behaviour of the connection in a round trip. */
type Line = 'answers' | 'breaks' | 'hangs'

const uint = (value: bigint): Hex => `0x${word(value)}`
const GAS_PRICE_WEI = 1_000_000_000n

/**
 * A chain whose contracts are functions of the test. It records its requests, and lets a test break the connection for chosen
 * round trips.
 */
export class ScriptedChain implements Chain {
  /** The calls of each simulated block, one entry for each round trip. */
  readonly blocks: SeenCall[][] = []
  /** The state overrides of each round trip. */
  readonly pretended: unknown[] = []
  /** The error with which the node refuses every simulation; null: none. */
  refusal: { code: number; message: string } | null = null
  line: (calls: readonly SeenCall[]) => Line = () => 'answers'
  readonly #contracts = new Map<string, Contract>()

  constructor() {
    this.feed(AT.feedEth, 2500)
    this.feed(AT.feedUsdg, 1)
    this.feed(AT.feedHood, 35)
    for (const token of [AT.weth, AT.usdg, AT.lseth, AT.hood, AT.void, AT.other])
      this.contract(token, () => uint(10n ** 60n))
  }

  contract(address: Address, answer: Contract): void {
    this.#contracts.set(address.toLowerCase(), answer)
  }

  feed(address: Address, priceUsd: number): void {
    const words = [1n, BigInt(priceUsd) * 10n ** 8n, 0n, 0n, 1n].map(word)
    this.contract(address, () => `0x${words.join('')}`)
  }

  /** Sets a venue's quote: a number of base units, raw bytes, or a revert. */
  venue(address: Address, quote: (amountRaw: bigint, args: readonly unknown[]) => bigint | Answer): void {
    this.contract(address, ({ data }) => {
      const { args } = decodeFunctionData({ abi: [...adapterAbi, ...directQuoteAbi], data })
      const answer = quote(args[2], args)
      return typeof answer === 'bigint' ? uint(answer) : answer
    })
  }

  async send(calls: readonly RpcCall[]): Promise<readonly RpcReply[]> {
    return Promise.all(calls.map((call) => this.#reply(call)))
  }

  async #reply({ method, params }: RpcCall): Promise<RpcReply> {
    if (method === 'eth_gasPrice') return { ok: true, result: numberToHex(GAS_PRICE_WEI) }
    const [{ blockStateCalls }] = params as [
      { blockStateCalls: [{ calls: SeenCall[]; stateOverrides?: unknown }] },
    ]
    const [{ calls, stateOverrides }] = blockStateCalls
    this.blocks.push(calls)
    this.pretended.push(stateOverrides)
    const line = this.line(calls)
    if (line === 'hangs') return new Promise(() => {})
    if (line === 'breaks') return { ok: false, code: -32603, message: 'broken' }
    if (this.refusal) return { ok: false, ...this.refusal }
    return { ok: true, result: [{ calls: calls.map((call) => this.#outcome(call)) }] }
  }

  #outcome(call: SeenCall) {
    const answer = this.#contracts.get(call.to)?.(call) ?? 'revert'
    return answer === 'revert' ? { status: '0x0', returnData: '0x' } : { status: '0x1', returnData: answer }
  }
}
