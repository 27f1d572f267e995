import { numberToHex } from 'viem'
import { readChainId } from '../chain/result.ts'
import type { ServiceDeps } from '../deps.ts'
import {
  AlreadyAttributedError,
  BuildNotFoundError,
  ChainUnavailableError,
  TransactionRejectedError,
} from '../errors.ts'
import type { RpcCall } from '../ports.ts'
import type { Build, KeyRecord } from '../records.ts'
import type { ConfirmRequest } from '../requests.ts'
import { type ReceiptFacts, readBlock, readHead, readReceipt, readTransaction } from './evidence.ts'
import { depthOf, type Facts, judge, type PendingReason, type Verdict } from './judge.ts'
import { retryAfterSeconds } from './retryAfter.ts'

/** A 200 with the fields of its body, or a 202 with the reason and when to retry (§4.3). */
type ConfirmOutcome =
  | { readonly recorded: true; readonly alreadyRecorded: boolean }
  | {
      readonly pending: {
        readonly reason: PendingReason
        /** The transaction's depth: its own block counts as 1; 0 when it is in no canonical block. */
        readonly confirmations: number
        readonly retryAfterS: number
      }
    }

export interface Confirmer {
  /**
   * Credits a transaction to the build it executed, once (§4.3). The caller must already be authenticated, and the
   * request already counted against its budget.
   *
   * @throws {BuildNotFoundError} no build with this id belongs to the caller's key: 404.
   * @throws {AlreadyAttributedError} the build or the transaction is attributed elsewhere: 409.
   * @throws {TransactionRejectedError} reverted, mismatched or outside the window: 422.
   * @throws {ChainUnavailableError} the chain did not respond usably: 503.
   * @throws {StoreUnavailableError} the store did not respond usably: 503.
   */
  confirm(request: ConfirmRequest, caller: KeyRecord): Promise<ConfirmOutcome>
}

type Credited = Extract<Verdict, { kind: 'credited' }>
type Pending = { readonly reason: PendingReason; readonly confirmations: number }
type Looked = Exclude<Verdict, Credited> | (Credited & { readonly receipt: ReceiptFacts })
type ConfirmerDeps = Pick<ServiceDeps, 'policy' | 'clock' | 'chain' | 'store' | 'log'>

export function createConfirmer(deps: ConfirmerDeps): Confirmer {
  const { policy, clock, chain, store, log } = deps
  const send = (calls: readonly RpcCall[]) => chain.send(calls, { timeoutMs: policy.rpcTimeoutMs })

  async function confirm(request: ConfirmRequest, caller: KeyRecord): Promise<ConfirmOutcome> {
    const txHash = request.txHash.toLowerCase()
    const build = await ownBuild(request.buildId, caller)
    if (await isRecorded(build, txHash)) return { recorded: true, alreadyRecorded: true }
    if (isForgotten(build)) throw new BuildNotFoundError(build.buildId)

    const looked = await lookAtChain(build, txHash)
    if (looked.kind === 'credited') return record(build, txHash, looked.receipt, looked)
    // While this request read the chain, another may have recorded the same report. Recorded reports stay recorded.
    if (await isRecorded(build, txHash)) return { recorded: true, alreadyRecorded: true }
    return refused(looked)
  }

  async function lookAtChain(build: Build, txHash: string): Promise<Looked> {
    const found = await findTransaction(build, txHash)
    if ('reason' in found) return { kind: 'pending', ...found }
    const facts = { ...found, ...(await readBlockAndHead(found.receipt)) }
    const verdict = judge(build, facts, policy.confirmations)
    if (verdict.kind !== 'credited') return verdict
    // Read the chain again right before recording: a reorganisation may have happened since, and the node may be several nodes
    // that disagree.
    const settled = judge(build, await lookAgain(facts, txHash), policy.confirmations)
    return settled.kind === 'credited' ? { ...settled, receipt: facts.receipt } : settled
  }

  /** §5: a build belongs to one key, and the legacy shared key never owns one. */
  async function ownBuild(buildId: string, caller: KeyRecord): Promise<Build> {
    const build = caller.kind === 'legacy' ? null : await store.findBuild(buildId, caller.keyId)
    if (build === null) throw new BuildNotFoundError(buildId)
    return build
  }

  /** Returns whether the build was not reported in time. When it is removed must not affect the response. */
  function isForgotten({ validUntilMs }: Build): boolean {
    const { buildRetentionMs } = policy
    return buildRetentionMs !== undefined && clock.nowMs() > validUntilMs + buildRetentionMs
  }

  /** Returns whether exactly this report was recorded before. Recorded reports stay recorded, even after a reorganisation. */
  async function isRecorded(build: Build, txHash: string): Promise<boolean> {
    const ofBuild = await store.findAttributionByBuild(build.buildId)
    if (ofBuild !== null) {
      if (ofBuild.txHash === txHash) return true
      throw new AlreadyAttributedError('build')
    }
    const ofTransaction = await store.findAttributionByTransaction(txHash)
    if (ofTransaction === null) return false
    // Another request may have recorded the same report between the two reads.
    if (ofTransaction.buildId === build.buildId) return true
    throw new AlreadyAttributedError('transaction')
  }

  /** Returns the transaction and its receipt, or the reason why neither can be judged yet. */
  async function findTransaction(
    build: Build,
    txHash: string,
  ): Promise<Pick<Facts, 'transaction' | 'receipt'> | Pending> {
    const replies = await send([
      { method: 'eth_getTransactionByHash', params: [txHash] },
      receiptOf(txHash),
      HEAD,
      { method: 'eth_chainId', params: [] },
    ])
    const chainId = readChainId(replies[3])
    if (chainId !== BigInt(build.chainId)) {
      throw new ChainUnavailableError(
        `the node serves chain ${chainId}, but the build is for ${build.chainId}`,
      )
    }
    const transaction = readTransaction(replies[0], txHash)
    const receipt = readReceipt(replies[1], txHash)
    const head = readHead(replies[2])
    if (transaction === null) return { reason: 'transaction-not-found', confirmations: 0 }
    if (receipt === null) return { reason: 'pending', confirmations: 0 }
    const confirmations = depthOf(receipt, head)
    // The usual response to a polling client, without another round trip.
    if (confirmations < policy.confirmations) return { reason: 'too-few-confirmations', confirmations }
    return { transaction, receipt }
  }

  async function readBlockAndHead(receipt: ReceiptFacts): Promise<Pick<Facts, 'block' | 'head'>> {
    const [block, head] = await send([blockAt(receipt.blockNumber), HEAD])
    return { block: readBlock(block, receipt.blockNumber), head: readHead(head) }
  }

  async function lookAgain(facts: Facts, txHash: string): Promise<Facts> {
    const { blockNumber, blockHash } = facts.receipt
    const replies = await send([receiptOf(txHash), blockAt(blockNumber), HEAD])
    const receipt = readReceipt(replies[0], txHash)
    const block = readBlock(replies[1], blockNumber)
    const head = readHead(replies[2])
    return { ...facts, block: receipt?.blockHash === blockHash ? block : null, head }
  }

  async function record(
    build: Build,
    txHash: string,
    receipt: ReceiptFacts,
    { block, confirmations }: Credited,
  ): Promise<ConfirmOutcome> {
    const outcome = await store.recordAttribution({
      buildId: build.buildId,
      keyId: build.keyId,
      txHash,
      blockNumber: receipt.blockNumber,
      blockHash: block.hash,
      blockTimestampS: block.timestampS,
      confirmedAtMs: clock.nowMs(),
    })
    if (outcome === 'build-taken') throw new AlreadyAttributedError('build')
    if (outcome === 'transaction-taken') throw new AlreadyAttributedError('transaction')
    log.info('confirm.recorded', {
      buildId: build.buildId,
      keyId: build.keyId,
      txHash,
      confirmations,
      outcome,
    })
    return { recorded: true, alreadyRecorded: outcome === 'already-recorded' }
  }

  function refused(verdict: Exclude<Verdict, Credited>): ConfirmOutcome {
    if (verdict.kind === 'rejected') throw new TransactionRejectedError(verdict.reason, verdict.message)
    return pending(verdict)
  }

  function pending({ reason, confirmations }: Pending): ConfirmOutcome {
    const missing = policy.confirmations - confirmations
    return { pending: { reason, confirmations, retryAfterS: retryAfterSeconds(missing, policy.blockTimeMs) } }
  }

  return { confirm }
}

const HEAD: RpcCall = { method: 'eth_blockNumber', params: [] }
const receiptOf = (txHash: string): RpcCall => ({ method: 'eth_getTransactionReceipt', params: [txHash] })
const blockAt = (blockNumber: bigint): RpcCall => ({
  method: 'eth_getBlockByNumber',
  params: [numberToHex(blockNumber), false],
})
