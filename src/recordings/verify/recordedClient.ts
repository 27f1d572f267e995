import type { Hex } from 'viem'
import {
  type ClientIntent,
  type ObservedClient,
  observeClientRequest,
  observeClientResponse,
  observeClientTransaction,
} from '../../oracles/index.ts'
import type { RequirementId } from '../../spec/requirements/index.ts'
import { type DraftOf, type Drafts, only, positioned } from '../format/drafts.ts'
import { RecordedBlocks } from './recordedBlocks.ts'

type Client = DraftOf<'client'>

/**
 * Reconstructs the behaviour of a client from its recording: its requests and responses from those of the service, unless the
 * case changed them, and the outcome of its transactions from the blocks. Null: the recording has no client.
 */
export function recordedClient(
  entries: Drafts,
): { readonly observed: ObservedClient; readonly intent: ClientIntent } | null {
  const [[, client] = []] = positioned(entries, 'client')
  if (client === undefined) return null
  const { goal, account, nodeChainId, ending, exitCode, reason, starts, leaks, intent } = client
  const { world } = only(entries, 'genesis')[1]
  const https = positioned(entries, 'http').map(([, http]) => http)
  const observed: ObservedClient = {
    ...{ goal: goal as ObservedClient['goal'], account, permit2: world.permit2 },
    ...{ nodeChainId, ending, exitCode, reason, starts, leaks },
    requests: client.requests.map((request) => requestOf(request, https)),
    transactions: transactionsOf(client, entries),
    // No judge of a recording uses them.
    balances: [],
  }
  return {
    observed,
    intent: { ...intent, clauses: (intent.clauses ?? []) as RequirementId[] } as ClientIntent,
  }
}

function requestOf(
  { http: id, asked, authorization, atMs, got }: Client['requests'][number],
  https: readonly DraftOf<'http'>[],
): ObservedClient['requests'][number] {
  const http = id === null ? undefined : https[id]
  const response = got?.instead ?? http?.answer ?? null
  return {
    ...observeClientRequest(asked ?? http ?? { method: '', path: '', body: null }),
    ...{ authorization, sentAtMs: atMs },
    response: got === null || response === null ? null : observeClientResponse(response, got.atMs),
  }
}

/** Returns the transactions with their outcomes on the chain of the last recorded head. */
function transactionsOf({ transactions }: Client, entries: Drafts): ObservedClient['transactions'] {
  const blocks = new RecordedBlocks(entries)
  const head = lastHead(entries)
  return transactions.map(({ raw, from, atMs, byCase }) => {
    const transaction = observeClientTransaction(raw as Hex, { from, sentAtMs: atMs, byCase })
    const mined = head === null ? null : blocks.mined(head, transaction.hash)
    return {
      ...transaction,
      mined: mined && { succeeded: mined.succeeded, blockNumber: mined.blockNumber },
    }
  })
}

function lastHead(entries: Drafts): string | null {
  return positioned(entries, 'control').at(-1)?.[1].head.hash ?? null
}
