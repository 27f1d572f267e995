import { type Defect, defect } from '../../../src/runner/proof/defect.ts'
import type { RpcReply } from '../../../src/service/testing.ts'
import { trustingConfirmer } from './trusting.ts'

/** How long the broken service caches the head. */
const HEAD_KEPT_MS = 60_000

/** The members of a transaction that identify its place in the order of its sender. */
interface Turn {
  readonly from: string
  readonly nonce: string
}

/** Services that read the chain once where they should read it again, or read the wrong thing. */
export const careless: readonly Defect[] = [
  defect(
    'confirm-races.no-canonical-check',
    'confirm.block-changed',
    'the block of a receipt is not compared with the canonical one, and the receipt is not read again before recording',
    { domain: (domain, deps) => ({ ...domain, confirmer: trustingConfirmer(deps) }) },
  ),
  defect(
    'confirm-races.cached-head',
    'confirm.depth.twelve',
    'the depth is counted from a head that is cached for up to a minute',
    {
      deps: (deps) => {
        let head: { readonly reply: RpcReply; readonly atMs: number } | null = null
        return {
          ...deps,
          chain: {
            send: async (calls, options) => {
              const replies = await deps.chain.send(calls, options)
              return replies.map((reply, index) => {
                if (calls[index]?.method !== 'eth_blockNumber' || !reply.ok) return reply
                const nowMs = deps.clock.nowMs()
                if (head === null || nowMs - head.atMs > HEAD_KEPT_MS) head = { reply, atMs: nowMs }
                return head.reply
              })
            },
          },
        }
      },
    },
  ),
  defect(
    'confirm-races.window-by-report',
    'confirm.window.late-report',
    'the window is compared with the time of the report instead of the block',
    {
      deps: (deps) => ({
        ...deps,
        chain: {
          send: async (calls, options) => {
            const replies = await deps.chain.send(calls, options)
            return replies.map((reply, index): RpcReply => {
              if (calls[index]?.method !== 'eth_getBlockByNumber') return reply
              if (!reply.ok || reply.result === null) return reply
              const timestamp = `0x${Math.floor(deps.clock.nowMs() / 1000).toString(16)}`
              return { ok: true, result: { ...(reply.result as object), timestamp } }
            })
          },
        },
      }),
    },
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
]

/** A transaction or a receipt under the requested hash. */
function named(reply: RpcReply, hash: string): RpcReply {
  if (!reply.ok || typeof reply.result !== 'object' || reply.result === null) return reply
  const { result } = reply
  if ('transactionHash' in result) return { ok: true, result: { ...result, transactionHash: hash } }
  return 'nonce' in result && 'input' in result ? { ok: true, result: { ...result, hash } } : reply
}
