import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Call {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}
type Entry = Readonly<Record<string, unknown>>

/**
 * A node of the chain that answers from memory: what it was asked before, it answers as the real node did then; what is
 * like it, such as another amount, as the first of its kind; anything else with an error.
 */
export interface RememberingNode {
  readonly url: string
  /** The texts that it sends in the place of its next answers, in their order; null: its own. */
  instead: (string | null)[]
  /** Returns the entries of every answer since the last look. */
  look(): readonly (readonly Entry[])[]
  /** From now on the real node is not asked any more. */
  remember(): void
  stop(): Promise<void>
}

const UNKNOWN = { error: { code: -32601, message: 'nothing like it was asked before' } }

/** @param rpcUrl the real node. */
export async function startRememberingNode(rpcUrl: string): Promise<RememberingNode> {
  const exact = new Map<string, Entry>()
  const alike = new Map<string, Entry>()
  let asks = true
  let answers: (readonly Entry[])[] = []

  const ask = async (calls: readonly Call[]): Promise<void> => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(calls) })
    const entries = (await response.json()) as readonly (Entry & { readonly id: number })[]
    for (const call of calls) {
      const found: Entry = entries.find(({ id }) => id === call.id) ?? UNKNOWN
      const { id: _id, jsonrpc: _jsonrpc, ...entry } = found
      exact.set(exactKey(call), entry)
      if (!alike.has(kindKey(call))) alike.set(kindKey(call), entry)
    }
  }
  const answer = async (calls: readonly Call[]): Promise<string> => {
    if (asks) await ask(calls)
    const entries = calls.map((call) => ({
      jsonrpc: '2.0',
      id: call.id,
      ...(exact.get(exactKey(call)) ?? alike.get(kindKey(call)) ?? UNKNOWN),
    }))
    answers.push(entries)
    return node.instead.shift() ?? JSON.stringify(entries)
  }
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => {
      answer(JSON.parse(body)).then(
        (text) => response.setHeader('content-type', 'application/json').end(text),
        (error: Error) => response.destroy(error),
      )
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const node: RememberingNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    instead: [],
    look: () => {
      const seen = answers
      answers = []
      return seen
    },
    remember: () => {
      asks = false
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return node
}

function exactKey({ method, params }: Call): string {
  return JSON.stringify([method, params])
}

/** Returns what is left of a call without the arguments of its functions and its amounts. */
function kindKey({ method, params }: Call): string {
  return JSON.stringify([method, params], (name, value: unknown) => {
    if (name === 'value' || name === 'from') return ''
    return name === 'data' && typeof value === 'string' ? value.slice(0, SELECTOR_CHARACTERS) : value
  })
}
/** `0x` and four bytes. */
const SELECTOR_CHARACTERS = 10
