import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Hex, numberToHex } from 'viem'
import { readHead } from '../sandbox/blocks.ts'
import { createRpc } from '../sandbox/rpc.ts'
import { concernsRequest, NODE_ERROR, withoutScope } from '../simulation/faults/line.ts'
import type { LineFaultKind } from '../simulation/faults.ts'
import type { Manifest } from '../spec/manifest.ts'

/** Where the proxy answers who it stands before; everything else posted to it is JSON-RPC. */
export const LINE_PATH = '/plumbline-line'

/** The base of the runs on a sandbox, as the proxy answers it. */
export interface ReachedBase {
  readonly number: Hex
  readonly stateRoot: Hex
}

/** Stands between a target and its chain, and can inject faults into that line. */
export interface LineProxy {
  /** The RPC URL for the target. */
  readonly url: string
  inject(kind: LineFaultKind): void
  /** The line works again; requests that were left hanging are cut off. */
  restore(): void
  stop(): Promise<void>
}

/**
 * Starts a proxy of the node of `manifest`, whose head is the base of every run on it: GET `/plumbline-line` names both. Faults are injected from this process, or by `POST /plumbline-line` with
 * `{ "fault": … }` or `{ "fault": null }` from another.
 */
export async function startLineProxy(manifest: Manifest, port = 0): Promise<LineProxy> {
  const upstream = new URL(manifest.rpcUrl)
  const base = await baseOf(manifest)
  const hanging = new Set<ServerResponse>()
  let injected: LineFaultKind | null = null
  let requests = 0

  const inject = (kind: LineFaultKind | null) => {
    injected = kind
    requests = 0
  }
  const restore = () => {
    inject(null)
    for (const response of hanging) response.destroy()
    hanging.clear()
  }
  async function carry(body: Buffer, response: ServerResponse): Promise<void> {
    const kind = injected
    requests += 1
    if (kind === null || !concernsRequest(manifest, kind, () => body.toString('utf8'), requests - 1))
      return forward(upstream, body, response, (answer) => answer)
    switch (withoutScope(kind)) {
      case 'down':
        return void response.destroy()
      case 'hanging':
        return void hanging.add(response)
      case 'answer-lost':
        return forward(upstream, body, response, () => null)
      case 'rubbish':
        return forward(upstream, body, response, withoutResults({ result: 'rubbish' }))
      case 'refused':
        return forward(upstream, body, response, withoutResults({ error: NODE_ERROR }))
    }
  }

  const server = createServer(async (incoming, response) => {
    const body = await readAll(incoming)
    if (incoming.url !== LINE_PATH) return carry(body, response)
    if (incoming.method === 'POST') {
      const { fault } = JSON.parse(body.toString('utf8')) as { fault: LineFaultKind | null }
      restore()
      inject(fault)
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ direct: manifest.rpcUrl, base }))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    inject,
    restore,
    stop: () =>
      new Promise((resolve) => {
        restore()
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** The head of the node, as JSON can carry it. */
async function baseOf({ rpcUrl }: Manifest): Promise<ReachedBase> {
  const rpc = createRpc({ url: rpcUrl })
  try {
    const { number, stateRoot } = await readHead(rpc)
    return { number: numberToHex(number), stateRoot }
  } finally {
    rpc.close()
  }
}

/** Every result replaced; the envelope stays. */
const withoutResults =
  (outcome: object) =>
  (answer: string): string => {
    const replace = (reply: Record<string, unknown>) => ({ jsonrpc: '2.0', id: reply.id, ...outcome })
    const parsed = JSON.parse(answer) as Record<string, unknown> | Record<string, unknown>[]
    return JSON.stringify(Array.isArray(parsed) ? parsed.map(replace) : replace(parsed))
  }

/** Passes a question on, and its answer through `turn`; null closes the line instead. */
function forward(
  upstream: URL,
  body: Buffer,
  response: ServerResponse,
  turn: (answer: string) => string | null,
): void {
  const outgoing = httpRequest(
    upstream,
    { method: 'POST', headers: { 'content-type': 'application/json', 'content-length': body.length } },
    async (incoming) => {
      const answer = turn((await readAll(incoming)).toString('utf8'))
      if (answer === null) return void response.destroy()
      response.writeHead(incoming.statusCode ?? 502, { 'content-type': 'application/json' })
      response.end(answer)
    },
  )
  outgoing.on('error', () => response.destroy())
  outgoing.end(body)
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
