import { setTimeout as sleep } from 'node:timers/promises'
import { privateKeyToAccount } from 'viem/accounts'
import { keccak256 } from 'viem/utils'
import { exchange, untilFinal } from './http.mjs'
import { checkChain } from './refusals.mjs'

const TIMEOUT_MS = 5_000
const POLL_MS = 200

/** The node understood a call and refused it. */
export class NodeRefusal extends Error {}

/** The account on its chain: signs calls, sends them, and follows them until they are mined. */
export class Chain {
  #url
  #account

  constructor(url, privateKey) {
    this.#url = url
    this.#account = privateKeyToAccount(privateKey)
  }

  get address() {
    return this.#account.address
  }

  read(to, data) {
    return this.#request('eth_call', [{ to, data }, 'latest'])
  }

  async nowS() {
    return Number((await this.#request('eth_getBlockByNumber', ['latest', false])).timestamp)
  }

  async signTypedData({ domain, ...typedData }) {
    const chainId = await this.#checkedChainId()
    return this.#account.signTypedData({ domain: { ...domain, chainId }, ...typedData })
  }

  /**
   * Signs calls with successive nonces and sends none of them: the caller saves the bytes first.
   *
   * @throws {NodeRefusal} a call would revert.
   */
  async sign(calls) {
    const chainId = await this.#checkedChainId()
    const head = await this.#request('eth_getBlockByNumber', ['latest', false])
    const gasPrice = BigInt(await this.#request('eth_gasPrice', []))
    const firstNonce = await this.#nonceAt('pending')
    const signed = []
    for (const [index, { role, to, data, value }] of calls.entries()) {
      const estimate = await this.#request('eth_estimateGas', [
        { from: this.address, to, data, value: hex(value) },
      ])
      const nonce = firstNonce + index
      const raw = await this.#account.signTransaction({
        chainId,
        nonce,
        to,
        data,
        value: BigInt(value),
        // A swap may need more gas by the time it is mined.
        gas: (BigInt(estimate) * 3n) / 2n,
        maxFeePerGas: 2n * gasPrice,
        maxPriorityFeePerGas: gasPrice - BigInt(head.baseFeePerGas),
      })
      signed.push({
        role,
        to,
        data,
        value,
        nonce,
        afterBlock: Number(head.number),
        hash: keccak256(raw),
        raw,
      })
    }
    return signed
  }

  /**
   * Sends missing transactions until the last one is mined, and returns its hash. After a first start, a lost response, a restart
   * or a reorganisation the node gets the same bytes again, so no call is executed twice.
   */
  async untilMined(transactions) {
    for (;;) {
      const receipt = await this.#sendMissing(transactions)
      if (receipt !== null && Number(receipt.status) !== 1)
        throw new Error(`the ${transactions.at(-1).role} ${receipt.transactionHash} reverted`)
      if (receipt !== null) return receipt.transactionHash
      await sleep(POLL_MS)
    }
  }

  /** Looks up each transaction once, in nonce order. @returns the receipt of the last one; null: not mined yet. */
  async #sendMissing(transactions) {
    let receipt = null
    for (const transaction of transactions) {
      receipt = await this.#receiptOf(transaction)
      if (receipt !== null || (await this.#request('eth_getTransactionByHash', [transaction.hash]))) continue
      console.error(`sending the ${transaction.role} ${transaction.hash}`)
      try {
        await this.#request('eth_sendRawTransaction', [transaction.raw])
      } catch (error) {
        if (!(error instanceof NodeRefusal)) throw error
        // Its nonce was used meanwhile, or the node is not ready; the next round decides. Later transactions must wait.
        console.error(error.message)
        return null
      }
    }
    return receipt
  }

  /** Returns the receipt of a transaction or of its replacement, the same call under another hash (§4.3 rule 5). */
  async #receiptOf({ role, hash, nonce, afterBlock, to, data, value }) {
    const receipt = await this.#request('eth_getTransactionReceipt', [hash])
    if (receipt !== null || (await this.#nonceAt('latest')) <= nonce) return receipt
    const mined = await this.#minedWith(nonce, afterBlock)
    if (mined === undefined) return null
    const isSameCall =
      isSame(mined.to ?? '', to) && isSame(mined.input, data) && BigInt(mined.value) === BigInt(value)
    if (!isSameCall) throw new Error(`nonce ${nonce} of the ${role} was used by ${mined.hash}`)
    return this.#request('eth_getTransactionReceipt', [mined.hash])
  }

  /** Finds the account's transaction with this nonce by a binary search for the block that increased the nonce. */
  async #minedWith(nonce, afterBlock) {
    let [before, at] = [afterBlock, Number(await this.#request('eth_blockNumber', []))]
    while (at - before > 1) {
      const middle = Math.floor((before + at) / 2)
      if ((await this.#nonceAt(hex(middle))) > nonce) at = middle
      else before = middle
    }
    const block = await this.#request('eth_getBlockByNumber', [hex(at), true])
    return block?.transactions.find((each) => isSame(each.from, this.address) && Number(each.nonce) === nonce)
  }

  async #nonceAt(block) {
    return Number(await this.#request('eth_getTransactionCount', [this.address, block]))
  }

  /** Reads and checks the chain id. Needed before each signature, because one URL may lead to several nodes. */
  async #checkedChainId() {
    const chainId = Number(await this.#request('eth_chainId', []))
    checkChain(chainId, 'the node')
    return chainId
  }

  async #request(method, params) {
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    }
    const { status, body } = await untilFinal(method, () => exchange(this.#url, TIMEOUT_MS, init))
    if (body?.result === undefined) throw new NodeRefusal(`${method}: ${body?.error?.message ?? status}`)
    return body.result
  }
}

const isSame = (one, other) => one.toLowerCase() === other.toLowerCase()
const hex = (number) => `0x${BigInt(number).toString(16)}`
