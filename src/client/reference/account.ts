import { decodeFunctionResult, encodeFunctionData, erc20Abi, type Hex, parseTransaction } from 'viem'
import { CANONICAL } from '../../fixtures/canonical.ts'
import { PERMIT2_ABI } from '../../sandbox/permit2.ts'
import { RpcConnectionError, RpcError } from '../../sandbox/rpc.ts'
import { createWallet, type TransactionRequest, type Wallet } from '../../sandbox/wallet.ts'
import { addressOf, sendApprovals, spenderOf } from '../../simulation/steps/userDuties.ts'
import { LIMITS } from '../../spec/limits.ts'
import type { BuildTx } from '../../spec/wire.ts'
import { type ClientPorts, SwapFailedError } from './ports.ts'
import type { ClientRules } from './rules.ts'

/** Interval at which the chain is polled. */
const POLL_MS = 250

/** The fields of a transaction that are compared with a swap. */
interface BlockTransaction {
  readonly hash: Hex
  readonly from: Hex
  readonly to: Hex | null
  readonly input: Hex
  readonly value: Hex
  readonly nonce: Hex
}

/** The account that swaps, on the client's node. */
export class SwapAccount {
  readonly #ports: ClientPorts
  readonly #rules: ClientRules
  readonly #deadlineMs: number
  readonly #wallet: Wallet

  constructor(ports: ClientPorts, rules: ClientRules, deadlineMs: number) {
    const { rpc, privateKey } = ports
    this.#ports = ports
    this.#rules = rules
    this.#deadlineMs = deadlineMs
    const sendRaw = async (raw: Hex) => {
      await this.broadcast(raw)
      return raw
    }
    this.#wallet = createWallet(rpc, { sendRaw, replaceTransaction: sendRaw }, privateKey)
  }

  get address(): Hex {
    return this.#wallet.address
  }

  /** Returns the chain id that the node reports. */
  async chainId(): Promise<number> {
    return Number(await this.#call<Hex>('eth_chainId', []))
  }

  /** Sends the missing approvals of a build, and waits until they are mined. Returns false if none was missing. */
  async approve(token: Hex, tx: BuildTx, amountRaw: bigint): Promise<boolean> {
    if (this.#rules.isApproved(await this.#isApproved(token, tx, amountRaw))) return false
    const sent = await sendApprovals(
      this.#wallet,
      token,
      this.#rules.approved(tx),
      this.#rules.approvalRaw(amountRaw),
    )
    for (const { hash, rawTransaction } of sent) {
      const mined = await this.mined(hash, rawTransaction)
      if (!mined.succeeded) throw new SwapFailedError(`the approval ${hash} reverted`)
    }
    return sent.length > 0
  }

  nonce(): Promise<number> {
    return this.#repeated(() => this.#wallet.nonce())
  }

  sign(request: TransactionRequest, nonce: number) {
    return this.#wallet.sign({ ...request, nonce })
  }

  /** Sends signed bytes. Ignores errors of the node, which may have them already: later reads of the chain decide. */
  async broadcast(raw: Hex): Promise<void> {
    await this.#ports.rpc.request('eth_sendRawTransaction', [raw]).catch(ignoreNode)
  }

  /** Sends signed bytes again if the node has dropped them. */
  async keepAlive(hash: Hex, raw: Hex): Promise<void> {
    if ((await this.#read('eth_getTransactionByHash', [hash])) === null) await this.broadcast(raw)
  }

  /**
   * Waits until a transaction is in a block; sends its bytes again if the node has dropped them.
   *
   * @returns its hash, or that of a replacement with the same content.
   * @throws {SwapFailedError} another transaction replaced it, or the deadline has passed.
   */
  async mined(
    hash: Hex,
    raw: Hex,
    nonce?: number,
  ): Promise<{ readonly hash: Hex; readonly succeeded: boolean }> {
    return this.#until(`${hash} was not mined in time`, async () => {
      const receipt = await this.#read<{ readonly status: Hex }>('eth_getTransactionReceipt', [hash])
      if (receipt !== null) return { hash, succeeded: receipt.status === '0x1' }
      const other = nonce === undefined ? null : await this.#replacement(raw, nonce)
      if (other === null) await this.keepAlive(hash, raw)
      return other
    })
  }

  /** Waits until any service would record a transaction by its depth. @throws {SwapFailedError} the deadline has passed. */
  async deep(hash: Hex): Promise<void> {
    await this.#until(`${hash} is not deep in time`, async () => {
      const receipt = await this.#read<{ readonly blockNumber: Hex }>('eth_getTransactionReceipt', [hash])
      const head = await this.#read<Hex>('eth_blockNumber', [])
      const isDeep =
        receipt !== null && Number(head ?? 0) - Number(receipt.blockNumber) > LIMITS.confirmations
      return isDeep ? hash : null
    })
  }

  /** Polls the node until there is a result. @throws {SwapFailedError} the deadline has passed. */
  async #until<Result>(late: string, poll: () => Promise<Result | null>): Promise<Result> {
    const { time } = this.#ports
    for (;;) {
      const result = await poll()
      if (result !== null) return result
      if (time.nowMs() + POLL_MS > this.#deadlineMs) throw new SwapFailedError(late)
      await time.sleep(POLL_MS)
    }
  }

  /** Looks for the transaction that replaced a swap (§4.3 rule 5). */
  async #replacement(raw: Hex, nonce: number): Promise<{ hash: Hex; succeeded: boolean } | null> {
    const used = await this.#read<Hex>('eth_getTransactionCount', [this.address, 'latest'])
    if (used === null || Number(used) <= nonce) return null
    const head = Number((await this.#read<Hex>('eth_blockNumber', [])) ?? '0x0')
    const signed = parseTransaction(raw)
    for (let number = head; number > Math.max(0, head - 64); number -= 1) {
      const block = await this.#read<{ readonly transactions: readonly BlockTransaction[] }>(
        'eth_getBlockByNumber',
        [`0x${number.toString(16)}`, true],
      )
      const found = block?.transactions.find(
        (each) => addressOf(each.from) === addressOf(this.address) && Number(each.nonce) === nonce,
      )
      if (found === undefined) continue
      const isSame =
        found.to?.toLowerCase() === signed.to?.toLowerCase() &&
        found.input === (signed.data ?? '0x') &&
        BigInt(found.value) === (signed.value ?? 0n)
      if (!this.#rules.isSameSwap(isSame))
        throw new SwapFailedError(`${found.hash} took the place of the swap, and is another transaction`)
      const receipt = await this.#read<{ readonly status: Hex }>('eth_getTransactionReceipt', [found.hash])
      return receipt === null ? null : { hash: found.hash, succeeded: receipt.status === '0x1' }
    }
    return null
  }

  async #isApproved(
    token: Hex,
    { allowanceTarget, permit2, to }: BuildTx,
    amountRaw: bigint,
  ): Promise<boolean> {
    if (allowanceTarget === null) return true
    const owner = this.address
    const spender = spenderOf({ allowanceTarget, permit2, to })
    const holder = permit2 ? CANONICAL.permit2 : spender
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [owner, holder] })
    const given = BigInt(await this.#call<Hex>('eth_call', [{ to: token, data }, 'latest']))
    if (!permit2 || given < amountRaw) return given >= amountRaw
    const args = [owner, token, spender] as const
    const asked = encodeFunctionData({ abi: PERMIT2_ABI, functionName: 'allowance', args })
    const answer = await this.#call<Hex>('eth_call', [{ to: CANONICAL.permit2, data: asked }, 'latest'])
    const [permitted] = decodeFunctionResult({ abi: PERMIT2_ABI, functionName: 'allowance', data: answer })
    return permitted >= amountRaw
  }

  /** Reads from the node; null: not found, or no response. */
  #read<Result>(method: string, params: readonly unknown[]): Promise<Result | null> {
    return this.#ports.rpc.request<Result | null>(method, params).catch(ignoreNode)
  }

  #call<Result>(method: string, params: readonly unknown[]): Promise<Result> {
    return this.#repeated(() => this.#ports.rpc.request<Result>(method, params))
  }

  /** Repeats a read until the node responds. */
  async #repeated<Result>(read: () => Promise<Result>): Promise<Result> {
    const { time } = this.#ports
    for (;;) {
      try {
        return await read()
      } catch (error) {
        if (!(error instanceof RpcConnectionError) || time.nowMs() + POLL_MS > this.#deadlineMs) throw error
        await time.sleep(POLL_MS)
      }
    }
  }
}

function ignoreNode(error: unknown): null {
  if (error instanceof RpcError || error instanceof RpcConnectionError) return null
  throw error
}
