import {
  AlreadyAttributedError,
  BuildNotFoundError,
  type Domain,
  judge,
  type RpcCall,
  readBlock,
  readHead,
  readReceipt,
  readTransaction,
  type ServiceDeps,
  TransactionRejectedError,
} from '../../../src/service/testing.ts'

type Confirmer = Domain['confirmer']
type Outcome = Awaited<ReturnType<Confirmer['confirm']>>

/** A confirm that trusts a receipt: it reads the time of the block, and never whether the block is canonical. */
export function trustingConfirmer({ chain, store, clock, policy }: ServiceDeps): Confirmer {
  const send = (calls: readonly RpcCall[]) => chain.send(calls, { timeoutMs: policy.rpcTimeoutMs })
  const pending = (confirmations: number): Outcome => ({
    pending: { reason: 'too-few-confirmations', confirmations, retryAfterS: 1 },
  })
  return {
    confirm: async (request, caller) => {
      const txHash = request.txHash.toLowerCase()
      const build = await store.findBuild(request.buildId, caller.keyId)
      if (build === null) throw new BuildNotFoundError(request.buildId)
      const earlier = await store.findAttributionByBuild(build.buildId)
      if (earlier?.txHash === txHash) return { recorded: true, alreadyRecorded: true }
      if (earlier !== null) throw new AlreadyAttributedError('build')

      const found = await send([
        { method: 'eth_getTransactionByHash', params: [txHash] },
        { method: 'eth_getTransactionReceipt', params: [txHash] },
        { method: 'eth_blockNumber', params: [] },
      ])
      const transaction = readTransaction(found[0], txHash)
      const receipt = readReceipt(found[1], txHash)
      if (transaction === null || receipt === null) return pending(0)
      const head = readHead(found[2])
      const number = `0x${receipt.blockNumber.toString(16)}`
      const [reply] = await send([{ method: 'eth_getBlockByNumber', params: [number, false] }])
      const block = readBlock(reply, receipt.blockNumber)
      if (block === null) return pending(0)
      const believed = { ...block, hash: receipt.blockHash }
      const verdict = judge(build, { transaction, receipt, block: believed, head }, policy.confirmations)
      if (verdict.kind === 'rejected') throw new TransactionRejectedError(verdict.reason, verdict.message)
      if (verdict.kind === 'pending') return pending(verdict.confirmations)

      const outcome = await store.recordAttribution({
        buildId: build.buildId,
        keyId: build.keyId,
        txHash,
        blockNumber: receipt.blockNumber,
        blockHash: receipt.blockHash,
        blockTimestampS: block.timestampS,
        confirmedAtMs: clock.nowMs(),
      })
      if (outcome === 'build-taken') throw new AlreadyAttributedError('build')
      if (outcome === 'transaction-taken') throw new AlreadyAttributedError('transaction')
      return { recorded: true, alreadyRecorded: outcome === 'already-recorded' }
    },
  }
}
