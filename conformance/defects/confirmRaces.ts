import { type Defect, defect, defectTable } from '../../src/runner/proof/defect.ts'
import type { Attribution, Build, Chain, RpcReply, ServiceSeams, Store } from '../../src/service/testing.ts'
import { changeReplies, changeStore, type Reread, rereadChain } from './helpers/ports.ts'

/** Time for which the broken service caches the head. */
const HEAD_KEPT_MS = 60_000

/** The members of a transaction that identify its place in the order of its sender. */
interface Turn {
  readonly from: string
  readonly nonce: string
}
interface Receipt {
  readonly blockNumber: string
  readonly blockHash: string
}

/** Returns a confirm that keeps the receipt of its first read, and takes its block for canonical. */
function trustReceipts(): Reread {
  const receipts = new Map<unknown, Receipt | null>()
  return ({ method, params: [of] }, result) => {
    // The first read of a report.
    if (method === 'eth_getTransactionByHash') receipts.delete(of)
    if (method === 'eth_getTransactionReceipt') {
      const receipt = receipts.get(of) ?? (result as Receipt | null)
      receipts.set(of, receipt)
      return receipt
    }
    if (method !== 'eth_getBlockByNumber' || result === null) return result
    const trusted = [...receipts.values()].find((receipt) => receipt?.blockNumber === of)
    return trusted ? { ...result, hash: trusted.blockHash } : result
  }
}

/** Returns a chain whose head is read in a separate round trip, after the other calls. */
function headLater(chain: Chain): Chain {
  return {
    send: async (calls, options) => {
      const at = calls.findIndex(({ method }) => method === 'eth_blockNumber')
      if (at < 1) return chain.send(calls, options)
      const others = await chain.send(calls.toSpliced(at, 1), options)
      return others.toSpliced(at, 0, ...(await chain.send(calls.slice(at, at + 1), options)))
    },
  }
}

type Outcome = Awaited<ReturnType<Store['recordAttribution']>>

/** Returns the service with a changed outcome of recording a report. */
function changeOutcome(change: (outcome: Outcome) => Outcome): ServiceSeams {
  return changeStore((store) => ({
    recordAttribution: async (attribution) => change(await store.recordAttribution(attribution)),
  }))
}

/** Services that fail only if an event comes at the wrong moment; random simulation finds them. */
export const raceDefects: readonly Defect[] = [
  ...defectTable(changeReplies, {
    'confirm-races.no-canonical-check': [
      'confirm.block-changed',
      'the block of a receipt is not compared with the canonical one, and the receipt is not read again before recording',
      () => trustReceipts(),
    ],
    'confirm-races.cached-head': [
      'confirm.recorded',
      'the depth is counted from a head that is cached for up to a minute',
      ({ clock }) => {
        let head = { number: null as unknown, atMs: Number.NEGATIVE_INFINITY }
        return ({ method }, number) => {
          if (method !== 'eth_blockNumber') return number
          if (clock.nowMs() - head.atMs > HEAD_KEPT_MS) head = { number, atMs: clock.nowMs() }
          return head.number
        }
      },
    ],
    'confirm-races.window-by-report': [
      'confirm.window.late-report',
      'the window is compared with the time of the report instead of the block',
      ({ clock }) =>
        ({ method }, result) => {
          const timestamp = `0x${Math.floor(clock.nowMs() / 1000).toString(16)}`
          return method === 'eth_getBlockByNumber' && result !== null ? { ...result, timestamp } : result
        },
    ],
  }),
  defect(
    'confirm-races.head-after-receipt',
    'confirm.block-changed',
    'the depth is counted from a head that is read after the receipt, whose block is not looked at again',
    { deps: (deps) => ({ ...deps, chain: rereadChain(headLater(deps.chain), trustReceipts()) }) },
  ),
  defect(
    'confirm-races.replaced-by-nonce',
    'confirm.replacement.matching',
    'a replaced hash is credited by the transaction that took its nonce, if that one matches the build',
    {
      deps: (deps) => {
        const turns = new Map<string, Turn>()
        const winners = new Map<string, string>()
        /** Reads the winner in place of a replaced hash, and returns it under the replaced hash. */
        const sendAliased: typeof deps.chain.send = async (calls, options) => {
          const aliased = calls.map(({ method, params }) => ({
            method,
            params: params.map((param) => winners.get(String(param)) ?? param),
          }))
          const replies = await deps.chain.send(aliased, options)
          return replies.map((reply, index) => named(reply, String(calls[index]?.params[0])))
        }
        return {
          ...deps,
          chain: {
            send: async (calls, options) => {
              const replies = await sendAliased(calls, options)
              const index = calls.findIndex(({ method }) => method === 'eth_getTransactionByHash')
              const found = replies[index]
              if (found === undefined || !found.ok) return replies
              const hash = String(calls[index]?.params[0])
              if (found.result !== null) turns.set(hash, found.result as Turn)
              const turn = turns.get(hash)
              if (found.result !== null || turn === undefined) return replies
              const [winner] = await deps.chain.send(
                [{ method: 'eth_getTransactionBySenderAndNonce', params: [turn.from, turn.nonce] }],
                options,
              )
              if (!winner?.ok || winner.result === null) return replies
              winners.set(hash, (winner.result as { readonly hash: string }).hash)
              return sendAliased(calls, options)
            },
          },
        }
      },
    },
  ),
  ...defectTable(changeOutcome, {
    'confirm-races.check-then-write': [
      'confirm.conflict.build',
      'whether a build and a transaction are free is checked once, and not again when they are recorded',
      () => 'recorded',
    ],
    'confirm-races.transaction-at-once-for-two': [
      'confirm.conflict.transaction',
      'that another build has the transaction is checked once, and not again when the report is recorded',
      (outcome) => (outcome === 'transaction-taken' ? 'recorded' : outcome),
    ],
    'confirm-races.repeat-at-once-conflicts': [
      'confirm.repeat.safe',
      'a report that is recorded while it is checked once more is 409',
      (outcome) => (outcome === 'already-recorded' ? 'build-taken' : outcome),
    ],
  }),
  defect(
    'confirm-races.restart-counts-again',
    'confirm.repeat.safe',
    'a report repeated after a restart is recorded as new and counts twice',
    changeStore((store) => {
      const known = new Map<string, Attribution>()
      const again = new Set<string>()
      return {
        findAttributionByBuild: async (buildId) => known.get(buildId) ?? null,
        findAttributionByTransaction: async (txHash) => {
          const found = await store.findAttributionByTransaction(txHash)
          return found !== null && known.has(found.buildId) ? found : null
        },
        recordAttribution: async (attribution) => {
          const outcome = await store.recordAttribution(attribution)
          if (outcome !== 'recorded' && outcome !== 'already-recorded') return outcome
          known.set(attribution.buildId, attribution)
          if (outcome === 'already-recorded') again.add(attribution.buildId)
          return 'recorded'
        },
        metrics: async (keyId) => {
          const metrics = await store.metrics(keyId)
          const twice = [...again].filter((buildId) => known.get(buildId)?.keyId === keyId).length
          return { ...metrics, confirmedSwaps: metrics.confirmedSwaps + twice }
        },
      }
    }),
  ),
  ...defectTable(ofEarlierProcesses, {
    'confirm-races.builds-in-memory': [
      'confirm.after-restart',
      'a build is known for as long as its process runs',
      () => null,
    ],
    'confirm-races.windows-in-memory': [
      'confirm.after-restart',
      'the window of a build ends only while its process runs',
      (build) => ({ ...build, validUntilMs: Number.MAX_SAFE_INTEGER }),
    ],
  }),
  defect(
    'confirm-races.transactions-in-memory',
    'confirm.after-restart',
    'a transaction that was credited before a restart can be credited to another build',
    changeStore((store) => {
      const known = new Set<string>()
      return {
        findAttributionByTransaction: async (txHash) =>
          known.has(txHash) ? store.findAttributionByTransaction(txHash) : null,
        recordAttribution: async (attribution) => {
          const outcome = await store.recordAttribution(attribution)
          const isForgotten = outcome === 'transaction-taken' && !known.has(attribution.txHash)
          known.add(attribution.txHash)
          return isForgotten ? 'recorded' : outcome
        },
      }
    }),
  ),
  defect(
    'confirm-races.notional-in-memory',
    'confirm.after-restart',
    'what confirmed builds are worth is added up for as long as the process runs',
    changeStore((store) => {
      const atStart = new Map<string, bigint>()
      return {
        metrics: async (keyId) => {
          const metrics = await store.metrics(keyId)
          const before = atStart.get(keyId) ?? metrics.notionalUsdMicros
          atStart.set(keyId, before)
          return { ...metrics, notionalUsdMicros: metrics.notionalUsdMicros - before }
        },
      }
    }),
  ),
  defect(
    'confirm-races.credits-in-memory',
    'confirm.after-restart',
    'what was recorded is known for as long as its process runs, and a build can be credited again after that',
    changeStore(() => {
      const known = new Map<string, Attribution>()
      const byTransaction = (txHash: string) => [...known.values()].find((one) => one.txHash === txHash)
      return {
        findAttributionByBuild: async (buildId) => known.get(buildId) ?? null,
        findAttributionByTransaction: async (txHash) => byTransaction(txHash) ?? null,
        recordAttribution: async (attribution) => {
          known.set(attribution.buildId, attribution)
          return 'recorded'
        },
      }
    }),
  ),
]

/** Changes builds of earlier processes when the broken service reads them back. */
function ofEarlierProcesses(lost: (build: Build) => Build | null): ServiceSeams {
  return changeStore((store) => {
    const known = new Set<string>()
    return {
      insertBuild: async (build) => {
        known.add(build.buildId)
        await store.insertBuild(build)
      },
      findBuild: async (buildId, keyId) => {
        const build = await store.findBuild(buildId, keyId)
        return build === null || known.has(buildId) ? build : lost(build)
      },
    }
  })
}

/** Returns a transaction or a receipt under the requested hash. */
function named(reply: RpcReply, hash: string): RpcReply {
  if (!reply.ok || typeof reply.result !== 'object' || reply.result === null) return reply
  const { result } = reply
  if ('transactionHash' in result) return { ok: true, result: { ...result, transactionHash: hash } }
  return 'nonce' in result && 'input' in result ? { ok: true, result: { ...result, hash } } : reply
}
