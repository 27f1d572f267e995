import { type Hex, keccak256, parseTransaction } from 'viem'
import type { HttpRequest, HttpResponse } from '../../spec/exchange.ts'
import { parseJson } from '../../spec/json.ts'
import { readRetryAfterMs } from '../../spec/retryAfter.ts'
import type { ClientRequest, ClientResponse, ClientTransaction } from './observation.ts'

const ENDPOINTS: Readonly<Record<string, 'quote' | 'build' | 'confirm'>> = {
  'GET /api/v1/quote': 'quote',
  'POST /api/v1/swap/build': 'build',
  'POST /api/v1/swap/confirm': 'confirm',
}

/** Converts a client's HTTP request into the judge's form. */
export function observeClientRequest({
  method,
  path,
  body,
}: Pick<HttpRequest, 'method' | 'path' | 'body'>): Pick<
  ClientRequest,
  'endpoint' | 'parameters' | 'amountText'
> {
  const [bare = '', search = ''] = path.split(/\?(.*)/s)
  const endpoint = ENDPOINTS[`${method} ${bare}`] ?? 'other'
  if (endpoint === 'quote') {
    const query = Object.fromEntries(new URLSearchParams(search))
    return { endpoint, parameters: query, amountText: query.amount ?? null }
  }
  const text = body ?? ''
  const amountText = /"amount"\s*:\s*"?([-+.\deE]+)/.exec(text)?.[1] ?? null
  return { endpoint, parameters: parseJson(text), amountText }
}

/** Converts a response into the judge's form. @param receivedAtMs epoch milliseconds by the clock of the client. */
export function observeClientResponse(response: HttpResponse, receivedAtMs: number): ClientResponse {
  return {
    receivedAtMs,
    status: response.status,
    retryAfterMs: readRetryAfterMs(response.headers, receivedAtMs),
    json: parseJson(response.body),
  }
}

/**
 * Converts a signed transaction into the judge's form, without its result on the chain.
 *
 * @param raw the signed bytes.
 * @throws {BaseError} of viem: the bytes are not a transaction.
 */
export function observeClientTransaction(
  raw: Hex,
  { from, ...sent }: Pick<ClientTransaction, 'from' | 'sentAtMs' | 'byCase'>,
): Omit<ClientTransaction, 'mined'> {
  const { to, data, value, nonce } = parseTransaction(raw)
  return {
    ...sent,
    hash: keccak256(raw),
    from: from.toLowerCase(),
    to: to?.toLowerCase() ?? null,
    data: (data ?? '0x').toLowerCase(),
    valueRaw: value ?? 0n,
    nonce: nonce ?? 0,
  }
}
