import { numberToHex } from 'viem'
import { type Defect, defect, defectTable } from '../../src/runner/proof/defect.ts'
import { AlreadyAttributedError, TransactionRejectedError } from '../../src/service/testing.ts'
import { callChain, changeReplies, changeTransaction, type WireTransaction } from './helpers/ports.ts'
import { changeConfirm, changeRules } from './helpers/rules.ts'

const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11'
const GWEI = 1_000_000_000n
const numberOf = (hex: string | null | undefined) => BigInt(hex ?? '0x0')

/** Returns the calldata of the settlement contract without the word of its minimum, the tenth after the selector. */
const withoutMinimum = (data: string | null | undefined) =>
  `${data?.slice(0, 10 + 9 * 64)}${data?.slice(10 + 10 * 64)}`

/** §4.3 rules 1 to 5: mistakes in deciding whether a transaction is the swap of a build. */
export const confirmMatchingDefects: readonly Defect[] = [
  ...defectTable(changeTransaction, {
    'match.sender-not-compared': [
      'confirm.match.sender',
      'the sender of the transaction is not compared',
      (_transaction, { sender }) => ({ from: sender }),
    ],
    'match.target-not-compared': [
      'confirm.match.target',
      'the called contract is not compared',
      (_transaction, { target }) => ({ to: target }),
    ],
    'match.creation-of-a-contract': [
      'confirm.match.target',
      'a transaction that creates a contract is not compared',
      ({ to }, { target, calldata }) => (to === null ? { to: target, input: calldata } : {}),
    ],
    'match.selector-only': [
      'confirm.match.calldata',
      'only the selector of the calldata is compared',
      ({ input }, { calldata }) => (input?.slice(0, 10) === calldata.slice(0, 10) ? { input: calldata } : {}),
    ],
    'match.minimum-not-compared': [
      'confirm.match.calldata',
      'calldata that differs in its minimum alone is accepted',
      ({ input }, { calldata }) =>
        withoutMinimum(input) === withoutMinimum(calldata) ? { input: calldata } : {},
    ],
    'match.value-in-64-bits': [
      'confirm.match.value',
      'the native value is compared in its last 64 bits',
      ({ value }, { valueRaw }) =>
        BigInt.asUintN(64, numberOf(value)) === BigInt.asUintN(64, valueRaw)
          ? { value: numberToHex(valueRaw) }
          : {},
    ],
    'match.value-not-compared': [
      'confirm.match.value',
      'the native value is not compared',
      (_transaction, { valueRaw }) => ({ value: numberToHex(valueRaw) }),
    ],
    'match.value-at-least': [
      'confirm.match.value',
      'a larger native value than that of the build is accepted',
      ({ value }, { valueRaw }) => (numberOf(value) > valueRaw ? { value: numberToHex(valueRaw) } : {}),
    ],
    'match.gas-limit-of-the-simulation': [
      'confirm.match.gas-price-free',
      'a gas limit above 4,000,000 is a mismatch',
      ({ gas }) => (numberOf(gas) > 4_000_000n ? { input: '0x' } : {}),
    ],
    'match.gas-price-capped': [
      'confirm.match.gas-price-free',
      'a gas price above 5 gwei is a mismatch',
      ({ maxFeePerGas }) => (numberOf(maxFeePerGas) > 5n * GWEI ? { input: '0x' } : {}),
    ],
    'match.any-call-of-the-sender': [
      'confirm.not-the-approval',
      'any successful transaction of the sender counts',
      (_transaction, { target, calldata, valueRaw }) => ({
        to: target,
        input: calldata,
        value: numberToHex(valueRaw),
      }),
    ],
    'match.plain-transfer-counts': [
      'confirm.not-the-fee-transfer',
      'a transaction without calldata is not compared at all',
      ({ input }, { target, calldata, valueRaw }) =>
        input === '0x' ? { to: target, input: calldata, value: numberToHex(valueRaw) } : {},
    ],
    'match.inside-a-batch': [
      'confirm.no-outer-transactions',
      'a batch that contains the calldata of the build counts as its swap',
      ({ to, input }, { target, calldata }) =>
        to?.toLowerCase() === MULTICALL3 && input?.includes(calldata.slice(2))
          ? { to: target, input: calldata }
          : {},
    ],
  }),
  ...defectTable(changeConfirm, {
    'match.first-hash-pinned': [
      'confirm.replacement.matching',
      'a build accepts only the first hash that is reported for it',
      (confirm) => {
        const first = new Map<string, string>()
        return async (request, caller) => {
          const pinned = first.get(request.buildId) ?? request.txHash
          first.set(request.buildId, pinned)
          if (pinned !== request.txHash) throw new AlreadyAttributedError('build')
          return confirm(request, caller)
        }
      },
    ],
    'match.rejected-for-ever': [
      'confirm.replacement.different',
      'a build whose report was rejected once is rejected from then on',
      (confirm) => {
        const rejected = new Map<string, unknown>()
        return async (request, caller) => {
          if (rejected.has(request.buildId)) throw rejected.get(request.buildId)
          return confirm(request, caller).catch((error: unknown) => {
            if (error instanceof TransactionRejectedError) rejected.set(request.buildId, error)
            throw error
          })
        }
      },
    ],
  }),
  defect(
    'match.nonce-zero-not-found',
    'confirm.match.nonce-free',
    'a swap that is the first transaction of its sender is not found',
    changeReplies(
      () =>
        ({ method }, result) =>
          method === 'eth_getTransactionByHash' && (result as { nonce?: string } | null)?.nonce === '0x0'
            ? null
            : result,
    ),
  ),
  defect(
    'match.nonce-of-the-build',
    'confirm.match.nonce-free',
    'the swap must have the nonce that the sender had at the build',
    changeRules(({ build, confirm }, deps) => {
      const nonces = new Map<string, unknown>()
      return {
        build: async (request, caller) => {
          const nonce = await callChain(deps, 'eth_getTransactionCount', request.sender, 'latest')
          const built = await build(request, caller)
          if (built.attribution) nonces.set(built.attribution.buildId, nonce)
          return built
        },
        confirm: async (request, caller) => {
          const found = await callChain(deps, 'eth_getTransactionByHash', request.txHash)
          const nonce = nonces.get(request.buildId)
          if (found !== null && nonce !== undefined && (found as WireTransaction).nonce !== nonce)
            throw new TransactionRejectedError('calldata-mismatch', 'the nonce differs')
          return confirm(request, caller)
        },
      }
    }),
  ),
  defect(
    'match.revert-counts',
    'confirm.rejected.reverted',
    'the status of the receipt is ignored',
    changeReplies(
      () =>
        ({ method }, result) =>
          method === 'eth_getTransactionReceipt' && result !== null
            ? { ...(result as WireTransaction), status: '0x1' }
            : result,
    ),
  ),
]
