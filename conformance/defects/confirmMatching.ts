import { numberToHex } from 'viem'
import { AlreadyAttributedError, TransactionRejectedError } from '../../src/service/testing.ts'
import { type Defect, defect } from './defect.ts'
import { overlooking, rereading, storing, type WireTransaction } from './making/ports.ts'
import { ruling } from './making/rules.ts'

const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11'
/** §4.3 rules 1 to 5: mistakes in telling whether a transaction is the swap of a build. */
export const confirmMatchingDefects: readonly Defect[] = [
  defect(
    'match.sender-not-compared',
    'confirm.match.sender',
    'who sent the transaction is not compared',
    overlooking((transaction, { sender }) => ({ ...transaction, from: sender })),
  ),
  defect(
    'match.target-not-compared',
    'confirm.match.target',
    'which contract was called is not compared',
    overlooking((transaction, { target }) => ({ ...transaction, to: target })),
  ),
  defect(
    'match.selector-only',
    'confirm.match.calldata',
    'only the selector of the calldata is compared',
    overlooking((transaction, { calldata }) =>
      transaction.input?.slice(0, 10) === calldata.slice(0, 10)
        ? { ...transaction, input: calldata }
        : transaction,
    ),
  ),
  defect(
    'match.value-not-compared',
    'confirm.match.value',
    'the native value is not compared',
    overlooking((transaction, { valueRaw }) => ({ ...transaction, value: numberToHex(valueRaw) })),
  ),
  defect(
    'match.value-at-least',
    'confirm.match.value',
    'more native value than the build says is taken for its value',
    overlooking((transaction, { valueRaw }) =>
      BigInt(transaction.value ?? '0x0') > valueRaw
        ? { ...transaction, value: numberToHex(valueRaw) }
        : transaction,
    ),
  ),
  defect(
    'match.gas-limit-of-the-simulation',
    'confirm.match.gas-price-free',
    'a gas limit above that of the simulation is a mismatch',
    overlooking((transaction) =>
      BigInt(transaction.gas ?? '0x0') > 4_000_000n ? { ...transaction, input: '0x' } : transaction,
    ),
  ),
  defect(
    'match.nonce-of-the-build',
    'confirm.match.nonce-free',
    'the nonce that the sender had at the build must be that of the swap',
    ruling((domain, { chain, policy: { rpcTimeoutMs } }) => {
      const ask = async (method: string, params: readonly unknown[]) => {
        const [reply] = await chain.send([{ method, params }], { timeoutMs: rpcTimeoutMs })
        return reply?.ok ? reply.result : null
      }
      const nonces = new Map<string, unknown>()
      return {
        builder: {
          build: async (request, caller) => {
            const nonce = await ask('eth_getTransactionCount', [request.sender, 'latest'])
            const built = await domain.builder.build(request, caller)
            if (built.attribution) nonces.set(built.attribution.buildId, nonce)
            return built
          },
        },
        confirmer: {
          confirm: async (request, caller) => {
            const transaction = (await ask('eth_getTransactionByHash', [
              request.txHash,
            ])) as WireTransaction | null
            const nonce = nonces.get(request.buildId)
            if (transaction !== null && nonce !== undefined && transaction.nonce !== nonce)
              throw new TransactionRejectedError('calldata-mismatch', 'the nonce is another')
            return domain.confirmer.confirm(request, caller)
          },
        },
      }
    }),
  ),
  defect(
    'match.any-call-of-the-sender',
    'confirm.not-the-approval',
    'any successful transaction of the sender counts',
    overlooking((transaction, { target, calldata, valueRaw }) => ({
      ...transaction,
      to: target,
      input: calldata,
      value: numberToHex(valueRaw),
    })),
  ),
  defect(
    'match.plain-transfer-counts',
    'confirm.not-the-fee-transfer',
    'a transaction without calldata is not compared at all',
    overlooking((transaction, { target, calldata, valueRaw }) =>
      transaction.input === '0x'
        ? { ...transaction, to: target, input: calldata, value: numberToHex(valueRaw) }
        : transaction,
    ),
  ),
  defect(
    'match.inside-a-batch',
    'confirm.no-outer-transactions',
    'a batch that holds the calldata of the build counts as its swap',
    overlooking((transaction, { target, calldata }) =>
      transaction.to?.toLowerCase() === MULTICALL3 && transaction.input?.includes(calldata.slice(2))
        ? { ...transaction, to: target, input: calldata }
        : transaction,
    ),
  ),
  defect(
    'match.first-hash-pinned',
    'confirm.replacement.matching',
    'the first hash reported for a build is the only one it can have',
    ruling((domain) => {
      const first = new Map<string, string>()
      return {
        confirmer: {
          confirm: async (request, caller) => {
            const pinned = first.get(request.buildId) ?? request.txHash
            first.set(request.buildId, pinned)
            if (pinned !== request.txHash) throw new AlreadyAttributedError('build')
            return domain.confirmer.confirm(request, caller)
          },
        },
      }
    }),
  ),
  defect(
    'match.rejected-for-ever',
    'confirm.replacement.different',
    'a build whose report was rejected once is rejected from then on',
    ruling((domain) => {
      const rejected = new Map<string, unknown>()
      return {
        confirmer: {
          confirm: async (request, caller) => {
            if (rejected.has(request.buildId)) throw rejected.get(request.buildId)
            return domain.confirmer.confirm(request, caller).catch((error: unknown) => {
              if (error instanceof TransactionRejectedError) rejected.set(request.buildId, error)
              throw error
            })
          },
        },
      }
    }),
  ),
  defect(
    'match.revert-counts',
    'confirm.rejected.reverted',
    'the status of the receipt is not looked at',
    rereading(
      () =>
        ({ method }, result) =>
          method === 'eth_getTransactionReceipt' && result !== null
            ? { ...(result as WireTransaction), status: '0x1' }
            : result,
    ),
  ),
]

/** §2.5, §8: mistakes in the attribution window. */
export const windowDefects: readonly Defect[] = [
  defect(
    'window.not-looked-at',
    'confirm.window.executes-within',
    'when the swap executed is not looked at',
    storing((store) => ({
      findBuild: async (buildId, keyId) => {
        const build = await store.findBuild(buildId, keyId)
        return build && { ...build, createdAtMs: 0, validUntilMs: Number.MAX_SAFE_INTEGER }
      },
    })),
  ),
  defect(
    'window.end-exclusive-by-a-minute',
    'limits.attribution-window',
    'the last minute of the window is kept for the reports, and swaps in it are late',
    storing((store) => ({
      findBuild: async (buildId, keyId) => {
        const build = await store.findBuild(buildId, keyId)
        return build && { ...build, validUntilMs: build.validUntilMs - 60_000 }
      },
    })),
  ),
  defect(
    'window.of-the-report',
    'confirm.window.late-report',
    'the report must come within the window, not the swap',
    ruling((domain, { store, clock }) => ({
      confirmer: {
        confirm: async (request, caller) => {
          const build = await store.findBuild(request.buildId, caller.keyId)
          if (build !== null && clock.nowMs() > build.validUntilMs)
            throw new TransactionRejectedError('after-window', 'the attribution window of the build is over')
          return domain.confirmer.confirm(request, caller)
        },
      },
    })),
  ),
]
