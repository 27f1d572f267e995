import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeFunctionData, numberToHex } from 'viem'
import { word } from '../chain/words.ts'
import { systemClock } from '../system/clock.ts'
import { settlementAbi } from '../venues/abi.ts'
import { AT } from './manifest.ts'
import { ScriptedChain } from './scriptedChain.ts'

/** One reply of a batch, right or wrong. */
export interface Entry {
  readonly id: number
  readonly result: unknown
}

/** Sends the response of a node in place of the right one. */
export type Misanswer = (exchange: {
  readonly entries: readonly Entry[]
  /** The method of each entry. */
  readonly methods: readonly string[]
  readonly response: http.ServerResponse
}) => void

/** The fields of a transaction that the service reads; it executes a build. */
export interface Swap {
  readonly to: string
  readonly data: string
  readonly value: string
}

export interface ScriptedNode {
  readonly url: string
  /** Hash of the transaction mined last. */
  readonly txHash: string
  /** Null: respond correctly. */
  misanswer: Misanswer | null
  /** Puts the transaction of a build into a block with twelve confirmations. */
  mine(swap: Swap): void
  close(): void
}

export const rightAnswer: Misanswer = ({ entries, response }) => void response.end(JSON.stringify(entries))

const hash = (tail: string) => `0x${tail.padStart(64, '0')}`
const [HEIGHT, HEAD] = ['0x64', '0x6f']

/** Starts a node over HTTP, with a chain on which venues A and B sell USDG for ETH. */
export async function startScriptedNode(): Promise<ScriptedNode> {
  const chain = new ScriptedChain()
  const mined = new Map<string, unknown>([
    ['eth_chainId', '0x1237'],
    ['eth_blockNumber', HEAD],
  ])
  let heldRaw = 10n ** 12n
  let transactions = 0n
  chain.contract(AT.usdg, () => `0x${word(heldRaw)}`)
  chain.venue(AT.venueA, () => 2_490_000_000n)
  chain.venue(AT.venueB, () => 2_480_000_000n)
  chain.contract(AT.settlement, ({ data }) => {
    const [{ minimumOut }] = decodeFunctionData({ abi: settlementAbi, data }).args
    heldRaw += minimumOut + 1_000n
    return '0x'
  })
  const entryOf = async (call: { id: number; method: string; params: unknown[] }): Promise<Entry> => {
    const { id, method } = call
    if (mined.has(method)) return { id, result: mined.get(method) }
    const [reply] = await chain.send([call])
    return { id, result: reply?.ok ? reply.result : null }
  }

  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const calls = JSON.parse(Buffer.concat(chunks).toString())
    const entries = await Promise.all<Entry>(calls.map(entryOf))
    const methods = calls.map(({ method }: { method: string }) => method)
    const answer = node.misanswer ?? rightAnswer
    answer({ entries, methods, response })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const node: ScriptedNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get txHash() {
      return hash(transactions.toString(16))
    },
    misanswer: null,
    mine: ({ to, data, value }) => {
      transactions += 1n
      const blockHash = hash('b1')
      const placed = { blockNumber: HEIGHT, blockHash }
      const transaction = {
        ...placed,
        hash: node.txHash,
        from: AT.sender,
        to,
        input: data,
        value: numberToHex(BigInt(value)),
        chainId: '0x1237',
      }
      mined.set('eth_getTransactionByHash', transaction)
      mined.set('eth_getTransactionReceipt', { ...placed, transactionHash: node.txHash, status: '0x1' })
      const timestamp = numberToHex(Math.floor(systemClock.nowMs() / 1_000))
      mined.set('eth_getBlockByNumber', { number: HEIGHT, hash: blockHash, timestamp })
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
  return node
}
