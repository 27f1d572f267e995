import type { RpcReply } from '../../../src/service/testing.ts'
import { type Defect, defect } from '../defect.ts'
import { trustingConfirmer } from './trusting.ts'

/** How long the broken service trusts the height that it read. */
const HEAD_KEPT_MS = 60_000

/** A transaction as a node writes it; the members that tell whose turn it was. */
interface Turn {
  readonly from: string
  readonly nonce: string
}

/** Services that look at the chain once where they should look again, or at the wrong thing. */
export const careless: readonly Defect[] = [
  defect(
    'confirm-races.no-canonical-check',
    'confirm.block-changed',
    'a receipt is believed: neither is its block compared with the canonical one, nor is it read again before the record',
    { domain: (domain, deps) => ({ ...domain, confirmer: trustingConfirmer(deps) }) },
  ),
  defect(
    'confirm-races.cached-head',
    'confirm.depth.twelve',
    'the depth is counted from a height that was read up to a minute ago',
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
    'the window is compared with the time of the report, not with the time of the block',
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
    'a hash that was replaced is credited by whatever took its nonce, as long as that matches the build',
    {
      deps: (deps) => {
        const turns = new Map<string, Turn>()
        const winners = new Map<string, string>()
        /** Asks about the winner wherever a replaced hash is asked about, and answers under the replaced hash. */
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

/** A transaction or a receipt under the hash that was asked about. */
function named(reply: RpcReply, hash: string): RpcReply {
  if (!reply.ok || typeof reply.result !== 'object' || reply.result === null) return reply
  const { result } = reply
  if ('transactionHash' in result) return { ok: true, result: { ...result, transactionHash: hash } }
  return 'nonce' in result && 'input' in result ? { ok: true, result: { ...result, hash } } : reply
}
