import { resolveBlob } from '../../format/blobs.ts'
import { canonicalJson, sha256 } from '../../format/canonical.ts'
import type { Anything } from '../forge.ts'
import { callOf, changed, type Forgery, HASH, keepUsedBlobs, REORG, resealed, withReply } from './forgery.ts'

const BLOCK = 'eth_getBlockByNumber'
const TRANSACTION = 'eth_getTransactionByHash'
const RECEIPT = 'eth_getTransactionReceipt'
const refusal = () => ({ error: { code: -32603, message: 'internal error' } })

type Change = Parameters<typeof withReply>[2]
const BY_BLOCKS: readonly (readonly [what: string, method: string, words: string, change: Change])[] = [
  ['no logs of a receipt', RECEIPT, 'logs', changed((result) => (result.logs = []))],
  ['another topic of a receipt', RECEIPT, 'logs', changed((result) => (result.logs[0].topics[0] = HASH))],
  ['a receipt of failure', RECEIPT, 'status', changed((result) => (result.status = '0x0'))],
  ['a receipt in another block', RECEIPT, 'blockNumber', changed((result) => (result.blockNumber = '0xff'))],
  [
    'a receipt of another transaction',
    RECEIPT,
    'transactionHash',
    changed((result) => (result.transactionHash = HASH)),
  ],
  [
    'other gas of a receipt',
    RECEIPT,
    'cumulativeGasUsed',
    changed((result) => (result.cumulativeGasUsed = '0x1')),
  ],
  ['no receipt', RECEIPT, 'null is recorded', () => ({ result: null })],
  ['a refusal of a receipt', RECEIPT, 'follows from the blocks', refusal],
  ['a transaction with another hash', TRANSACTION, 'hash', changed((result) => (result.hash = HASH))],
  [
    'a transaction in another block',
    TRANSACTION,
    'blockNumber',
    changed((result) => (result.blockNumber = '0xff')),
  ],
  ['a transaction with another nonce', TRANSACTION, 'nonce', changed((result) => (result.nonce = '0xff'))],
  [
    'a transaction to what is no address',
    TRANSACTION,
    'to',
    changed((result) => (result.to = { toString: 0 })),
  ],
  ['no block', BLOCK, 'null is recorded', () => ({ result: null })],
  ['a text for a block', BLOCK, 'rubbish is recorded', () => ({ result: 'rubbish' })],
  [
    'a block with what is no hash',
    BLOCK,
    'result.hash',
    changed((result) => (result.hash = { toString: 0 })),
  ],
  ['a block with another state root', BLOCK, 'stateRoot', changed((result) => (result.stateRoot = HASH))],
  ['a block with no transactions', BLOCK, 'transactions', changed((result) => (result.transactions = []))],
  ['a refusal of a block', BLOCK, 'follows from the blocks', refusal],
  ['another head', 'eth_blockNumber', '0xff is recorded', () => ({ result: '0xff' })],
  ['a refusal of the head', 'eth_blockNumber', 'follows from the blocks', refusal],
]

const SIMULATION = 'eth_simulateV1'
const BY_EXECUTION: readonly (readonly [what: string, method: string, words: string, change: Change])[] = [
  [
    'what a venue would pay',
    SIMULATION,
    'calls.0.returnData',
    changed(([block]) => (block.calls[0].returnData = block.calls[1].returnData)),
  ],
  [
    'whether a call would succeed',
    SIMULATION,
    'calls.1.status',
    changed(([block]) => (block.calls[1].status = '0x0')),
  ],
  [
    'the gas of a call',
    SIMULATION,
    'calls.1.gasUsed',
    changed(([block]) => (block.calls[1].gasUsed = '0x1')),
  ],
  ['the time of a simulated block', SIMULATION, 'timestamp', changed(([block]) => (block.timestamp = '0x1'))],
  [
    'the order of simulated calls',
    SIMULATION,
    'transactions.0',
    changed(([block]) => block.transactions.reverse()),
  ],
  ['a simulation refused', SIMULATION, 'result', refusal],
  ['the price of gas', 'eth_gasPrice', 'recorded 0x77, executed here 0x3b9aca07', () => ({ result: '0x77' })],
]

const CALLS = resealed('calls of the service', REORG, [
  [
    'a call of an unknown method',
    ['second-evm', 'eth_gasPricf'],
    (r) => {
      const [rpc, index] = callOf(r, 'eth_gasPrice')
      rpc.calls[index].method = 'eth_gasPricf'
    },
  ],
  [
    'a call of a method that a prototype has',
    ['second-evm', 'constructor'],
    (r) => {
      const [rpc, index] = callOf(r, 'eth_gasPrice')
      rpc.calls[index].method = 'constructor'
    },
  ],
  [
    'a parameter that a call does not take',
    ['second-evm', 'eth_gasPrice'],
    (r) => {
      const [rpc, index] = callOf(r, 'eth_gasPrice')
      rpc.calls[index].params.push('0xffffffff')
    },
  ],
  [
    'parameters that are no list',
    ['contents', 'is no list'],
    (r) => {
      const [rpc, index] = callOf(r, 'eth_gasPrice')
      rpc.calls[index].params = 7
    },
  ],
  [
    'another chain',
    ['second-evm', 'recorded 0x1'],
    (r) => {
      const [rpc, index] = callOf(r, 'eth_chainId')
      rpc.replies[index] = { result: '0x1' }
    },
  ],
  ['a reply less', ['contents', 'replies'], (r) => callOf(r, 'eth_chainId')[0].replies.pop()],
  [
    'two replies changed places',
    ['contents', 'replies.2'],
    (r) => {
      const { replies } = callOf(r, 'eth_chainId')[0]
      ;[replies[2], replies[3]] = [replies[3], replies[2]]
    },
  ],
  [
    'replies that never came',
    ['contents', 'replies: none came'],
    (r) => {
      callOf(r, 'eth_blockNumber')[0].replies = null
      keepUsedBlobs(r)
    },
  ],
  [
    'an error next to replies',
    ['contents', 'and the replies came'],
    (r) => (callOf(r, 'eth_chainId')[0].error = 'RpcError'),
  ],
  [
    'ten thousand calls in a simulation, and the simulation in ten round trips',
    ['limit', 'at least 2,1'],
    (r) => {
      const [rpc, index] = callOf(r, 'eth_simulateV1')
      const [payload] = structuredClone(resolveBlob(r.blobs, rpc.calls[index].params)) as Anything
      const [block] = payload.blockStateCalls
      block.calls = Array.from({ length: 10_000 }, () => block.calls[0])
      const params = JSON.parse(canonicalJson([payload]))
      const key = sha256(canonicalJson(params))
      r.blobs[key] = params
      rpc.calls[index].params = `sha256:${key}`
      r.entries.splice(r.entries.indexOf(rpc), 0, ...Array.from({ length: 9 }, () => structuredClone(rpc)))
      keepUsedBlobs(r)
    },
  ],
  [
    'a fault that no step injects',
    ['replay', 'fault: recorded "down"'],
    (r) => (callOf(r, 'eth_chainId')[0].fault = 'down'),
  ],
])

export const REPLY_FORGERIES: readonly Forgery[] = [
  ...resealed(
    'replies that the blocks decide',
    REORG,
    BY_BLOCKS.map(
      ([what, method, words, change]) =>
        [what, ['contents', words], (r) => withReply(r, method, change)] as const,
    ),
  ),
  ...resealed(
    'replies that an execution decides',
    REORG,
    BY_EXECUTION.map(
      ([what, method, words, change]) =>
        [what, ['second-evm', words], (r) => withReply(r, method, change)] as const,
    ),
  ),
  ...CALLS,
]
