import type { ClientIntent, ObservedClient } from '../../oracles/index.ts'
import type { Exchange, HttpRequest } from '../../spec/exchange.ts'
import { canonicalJson } from '../format/canonical.ts'
import type { DraftOf } from '../format/drafts.ts'

/** A client that has ended, with the bytes that it sent and received. */
export interface RecordedClient {
  readonly observed: ObservedClient
  /** The signed bytes of its transactions, by hash. */
  readonly signed: ReadonlyMap<string, string>
  /** Its requests and responses, parallel to `observed.requests`. */
  readonly exchanges: readonly Exchange[]
}

type Request = DraftOf<'client'>['requests'][number]

/**
 * Returns the entry of a client. Requests that its service or node received have separate entries.
 *
 * @param recorded returns the entry of a request; undefined: the service did not receive it.
 */
export function clientDraft(
  { observed, signed, exchanges }: RecordedClient,
  { mustBe, refuses, clauses, boundaryClasses }: ClientIntent,
  recorded: (request: HttpRequest) => DraftOf<'http'> | undefined,
): DraftOf<'client'> {
  const { goal, account, nodeChainId, ending, exitCode, reason, starts, leaks } = observed
  return {
    kind: 'client',
    goal,
    intent: {
      mustBe,
      ...(refuses === undefined ? {} : { refuses }),
      ...(clauses === undefined ? {} : { clauses: [...clauses] }),
      ...(boundaryClasses === undefined ? {} : { boundaryClasses: [...boundaryClasses] }),
    },
    ...{ account, nodeChainId, ending, exitCode, reason, starts, leaks: [...leaks] },
    requests: observed.requests.flatMap((request, index) => {
      const exchange = exchanges[index]
      return exchange === undefined ? [] : [requestDraft(request, exchange, recorded(exchange.request))]
    }),
    transactions: observed.transactions.map(({ hash, from, sentAtMs, byCase }) => ({
      ...{ raw: (signed.get(hash) ?? '0x').toLowerCase(), from, byCase },
      atMs: Math.round(sentAtMs),
    })),
  }
}

function requestDraft(
  { authorization, sentAtMs, response: got }: ObservedClient['requests'][number],
  { request: { method, path, body }, response }: Exchange,
  http: DraftOf<'http'> | undefined,
): Request {
  const { status, headers, body: text } = response
  const instead = { status, headers: { ...headers }, body: text }
  return {
    http: http?.id ?? null,
    asked: http === undefined ? { method, path, body } : null,
    authorization,
    atMs: Math.round(sentAtMs),
    got: got && {
      atMs: Math.round(got.receivedAtMs),
      instead: isAnswer(instead, http?.answer) ? null : instead,
    },
  }
}

type Response = NonNullable<NonNullable<Request['got']>['instead']>

function isAnswer({ status, headers, body }: Response, answer: DraftOf<'http'>['answer'] | undefined) {
  if (answer == null || answer.status !== status || answer.body !== body) return false
  return canonicalJson(answer.headers) === canonicalJson(headers)
}
