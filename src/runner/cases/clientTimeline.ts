import { formatUnits } from 'viem'
import type { ClientEvent, ClientRecord } from '../../client/clientLog.ts'
import { parseValidUntil, type RoledTransaction, rolesOf } from '../../oracles/index.ts'
import type { Timeline, TimelineEvent } from '../../reporting/timeline/model.ts'
import { redactKeys } from '../../spec/exchange.ts'
import { buildResponseSchema } from '../../spec/wire.ts'
import type { CaseResult } from './runCase.ts'

/** Returns the timeline of a client's case; null: the case ran no client, or ended before its client did. */
export function clientTimeline({ id, title, attached, failure }: CaseResult): Timeline | null {
  const record = attached as ClientRecord | undefined
  if (record?.observed?.account === undefined) return null
  const { base, events, observed } = record
  const named = namesOf(rolesOf(observed))
  const builds = buildsIn(record)
  return {
    ...{ id, title, problem: failure?.message.split('\n', 1)[0] ?? null },
    base: {
      number: Number(base.number),
      hash: base.hash,
      timestampS: Math.floor((events[0]?.atMs ?? 0) / 1_000),
    },
    builds: [...builds.values()],
    transactions: [...named].map(([hash, { name, transaction }]) => ({
      ...{ name, hash, to: transaction.to, data: transaction.data, call: null },
      build: 'build' in transaction.role ? (builds.get(transaction.role.build.data)?.name ?? null) : null,
      valueRaw: transaction.valueRaw.toString(),
    })),
    events: events.flatMap((event) => eventOf(event, record, named)),
  }
}

interface Named {
  readonly name: string
  readonly transaction: RoledTransaction
}

/** Names each transaction by its role; from the second of a role on, with a number. */
function namesOf(transactions: readonly RoledTransaction[]): ReadonlyMap<string, Named> {
  const counts = new Map<string, number>()
  return new Map(
    transactions.map((transaction) => {
      const { name } = transaction.role
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      return [transaction.hash, { name: count === 1 ? name : `${name} ${count}`, transaction }]
    }),
  )
}

/** Returns the builds that the client received, by their calldata. */
function buildsIn({ observed }: ClientRecord): ReadonlyMap<string, Timeline['builds'][number]> {
  const builds = new Map<string, Timeline['builds'][number]>()
  for (const { endpoint, response } of observed.requests) {
    const { data } = buildResponseSchema.safeParse(endpoint === 'build' ? response?.json : null)
    if (data === undefined || response == null) continue
    const { attribution, tx } = data
    builds.set(tx.data.toLowerCase(), {
      name: `build ${builds.size + 1}`,
      builtAtMs: response.receivedAtMs,
      validUntilMs: attribution === null ? null : (parseValidUntil(attribution.validUntil)?.epochMs ?? null),
      confirmations: attribution?.confirmations ?? 0,
    })
  }
  return builds
}

function eventOf(
  event: ClientEvent,
  { exchanges, observed }: ClientRecord,
  named: ReadonlyMap<string, Named>,
): readonly TimelineEvent[] {
  const place = { step: '', atMs: event.atMs }
  switch (event.kind) {
    case 'life':
      return [{ ...place, kind: 'step', op: 'client', label: event.text, source: '' }]
    case 'request': {
      const exchange = exchanges[event.exchange]
      if (exchange === undefined) return []
      const { method, path } = exchange.request
      const label = `${method} ${path.split('?', 1)[0]}`
      return [{ ...place, kind: 'request', id: event.exchange, label, exchange: redactKeys(exchange) }]
    }
    case 'response': {
      const { status = 0 } = exchanges[event.exchange]?.response ?? {}
      return [{ ...place, kind: 'answer', id: event.exchange, status, note: '' }]
    }
    case 'sent':
      return [
        { ...place, kind: 'sent', transaction: named.get(event.hash)?.name ?? event.hash, replaces: null },
      ]
    case 'head':
      return [{ ...place, kind: 'head', hash: event.hash }]
    case 'block': {
      const { number, hash, parentHash, timestampS, transactions } = event.block
      return [
        {
          ...{ ...place, kind: 'block', hash, parent: parentHash, timestampS, number: Number(number) },
          transactions: transactions.map((mined) => ({
            hash: mined,
            succeeded: named.get(mined.toLowerCase())?.transaction.mined?.succeeded ?? true,
            changes: changesAt(mined, observed, named),
          })),
        },
      ]
    }
  }
}

/** Returns the account's balance changes, only for its swap: they include what approvals and fees cost. */
function changesAt(
  hash: string,
  { balances, account }: ClientRecord['observed'],
  named: ReadonlyMap<string, Named>,
) {
  if (named.get(hash.toLowerCase())?.transaction.role.name !== 'swap') return []
  return balances.map(({ symbol, decimals, beforeRaw, afterRaw }) => ({
    ...{ account, token: symbol, amountRaw: (afterRaw - beforeRaw).toString() },
    amount: formatUnits(afterRaw - beforeRaw, decimals),
  }))
}
