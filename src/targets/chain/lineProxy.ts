import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import { type Hex, numberToHex } from 'viem'
import { readHead } from '../../sandbox/blocks.ts'
import { refusalOfCommand } from '../../sandbox/nodeCommands.ts'
import { createRpc } from '../../sandbox/rpc.ts'
import { surviveSocketErrors } from '../../sandbox/surviveSocketErrors.ts'
import { faultKinds, type LineFaultKind } from '../../simulation/faults/faults.ts'
import { concernsRequest, NODE_ERROR, withoutScope } from '../../simulation/faults/line.ts'
import { membersOf, parseJson } from '../../spec/json.ts'
import type { Manifest } from '../../spec/manifest.ts'
import { type Interrupt, PendingInterruption } from '../environment/line.ts'
import type { LineTap } from '../transports/tap.ts'
import { type BodyReader, createBodyReader } from './bodyReader.ts'

/** Path at which the proxy names the node behind it; everything else posted to it is JSON-RPC. */
export const LINE_PATH = '/plumbline-line'

const MIB = 1024 * 1024
/** Eight times the limit of the node. */
const BODY_BYTES_MAX = 16 * MIB
/** Limit of the bodies of all open requests together, including answers that a fault changes. */
const BODIES_BYTES_MAX = 64 * MIB
/** More than any service needs, and few enough for the files that a process may open. */
const CONNECTIONS_MAX = 1_000

/** The base of the runs on a sandbox, as the proxy sends it. */
export interface ReachedBase {
  readonly number: Hex
  readonly stateRoot: Hex
}

/** A proxy between a target and its chain that can inject faults into that line, or act in the middle of a round trip. */
export interface LineProxy {
  readonly url: string
  inject(kind: LineFaultKind): void
  /** Ends the fault; requests that were left hanging are cut off. */
  restore(): void
  readonly interrupt: Interrupt
  /** Reports every round trip from now on; null: to no tap. */
  listen(tap: LineTap | null): void
  stop(): Promise<void>
}

/**
 * Starts a proxy of the node of `manifest`. Its clients may misbehave: commands to the node are refused, and a request that
 * breaks off or is too large is ended, and no other.
 *
 * @param options.isReachable true: another process controls it. GET `/plumbline-line` names the node and its head, which is the
 * base of every run on it; `POST /plumbline-line` with `{ "fault": … }` or `{ "fault": null }` injects or ends a fault, and any
 * other control request is refused with 400. Default: false, so that no target can lift a fault or learn of the node.
 */
export async function startLineProxy(
  manifest: Manifest,
  { isReachable = false }: { readonly isReachable?: boolean } = {},
): Promise<LineProxy> {
  const upstream = new URL(manifest.rpcUrl)
  const base = await baseOf(manifest)
  const bodies = createBodyReader({ eachBytes: BODY_BYTES_MAX, allBytes: BODIES_BYTES_MAX })
  const hanging = new Set<ServerResponse>()
  let injected: LineFaultKind | null = null
  let interruption: PendingInterruption | null = null
  let passed: Promise<void> = Promise.resolve()
  let tap: LineTap | null = null
  let requests = 0

  const inject = (kind: LineFaultKind | null) => {
    injected = kind
    requests = 0
  }
  const restore = () => {
    inject(null)
    interruption = null
    for (const response of hanging) response.destroy()
    hanging.clear()
  }
  const carry = (body: Buffer, response: ServerResponse) => {
    const kind = injected
    requests += 1
    const text = body.toString('utf8')
    const isStruck = kind !== null && concernsRequest(manifest, kind, () => text, requests - 1)
    const heard = tap?.trip(text, isStruck ? kind : null)
    if (heard !== undefined) response.once('close', () => heard(null))
    const refusal = isStruck ? null : refusalOfCommand(text)
    if (refusal !== null) {
      heard?.(refusal)
      response.writeHead(200, { 'content-type': 'application/json' })
      return void response.end(refusal)
    }
    const pass = (way: Way = {}) => forward(upstream, body, response, bodies, { ...way, heard })
    if (!isStruck) {
      const pending = interruption
      if (pending === null) return void pass()
      // One at a time, so that target and tap see an interruption between the same two requests.
      passed = passed.then(() => pass({ before: () => pending.pass() }))
      return
    }
    switch (withoutScope(kind)) {
      case 'down':
        return void response.destroy()
      case 'hanging':
        return void hanging.add(response)
      case 'answer-lost':
        return void pass({ turn: () => null })
      case 'rubbish':
        return void pass({ turn: withoutResults({ result: 'rubbish' }) })
      case 'refused':
        return void pass({ turn: withoutResults({ error: NODE_ERROR }) })
    }
  }
  const control = (body: Buffer, method: string | undefined, response: ServerResponse) => {
    if (method === 'POST') {
      const fault = faultOf(body)
      if (fault === undefined) return say(response, 400, { error: `send { "fault": … }, ${KINDS} or null` })
      restore()
      inject(fault)
    }
    say(response, 200, { direct: manifest.rpcUrl, base })
  }

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.once('close', () => hanging.delete(response))
    const body = await bodies.read(incoming, response)
    if (body === 'broken-off') return void response.destroy()
    if (body === 'too-large') {
      // The rest of it is not read.
      response.setHeader('connection', 'close')
      response.once('finish', () => incoming.destroy())
      return say(response, 413, { error: `the body is larger than ${BODY_BYTES_MAX} bytes` })
    }
    if (isReachable && incoming.url === LINE_PATH) control(body, incoming.method, response)
    else carry(body, response)
  }
  // A request that the target breaks is ended alone.
  const server = createServer((incoming, response) => {
    void answer(incoming, response).catch(() => response.destroy())
  })
  server.maxConnections = CONNECTIONS_MAX
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  // A connection that cannot be accepted is lost, and the others go on.
  server.on('error', () => {})
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    inject,
    restore,
    interrupt: (trip, act) => {
      interruption = new PendingInterruption(trip, act)
      return interruption
    },
    listen: (listener) => {
      tap = listener
    },
    stop: () =>
      new Promise((resolve) => {
        restore()
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Returns the head of the node in a form that JSON can represent. */
async function baseOf({ rpcUrl }: Manifest): Promise<ReachedBase> {
  const rpc = createRpc({ url: rpcUrl })
  try {
    const { number, stateRoot } = await readHead(rpc)
    return { number: numberToHex(number), stateRoot }
  } finally {
    rpc.close()
  }
}

const KINDS = faultKinds('line', 'line proxy')
  .map((kind) => `"${kind}"`)
  .join(', ')

/** Returns the fault that a control request asks for; undefined: the request is not valid. */
function faultOf(body: Buffer): LineFaultKind | null | undefined {
  const { fault } = membersOf(parseJson(body.toString('utf8')))
  return fault === null ? null : faultKinds('line', 'line proxy').find((kind) => kind === fault)
}

function say(response: ServerResponse, status: number, content: object): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(content))
}

/** Changes an answer as a fault does; null: the answer is lost. */
type Turn = (answer: string) => string | null

/** Options for passing an answer on. */
interface Way {
  /** Default: it passes unchanged. */
  readonly turn?: Turn
  /** Receives what the target gets; null: nothing. Default: it is not reported. */
  readonly heard?: ((answer: string | null) => void) | undefined
  /** Awaited before the target gets anything. Default: nothing. */
  readonly before?: () => Promise<void>
}

/** Replaces every result; the envelope stays. An answer that is not JSON is lost. */
const withoutResults =
  (outcome: object): Turn =>
  (answer) => {
    const replace = (reply: unknown) => ({ jsonrpc: '2.0', id: membersOf(reply).id, ...outcome })
    const parsed = parseJson(answer, Number.POSITIVE_INFINITY)
    if (parsed === undefined) return null
    return JSON.stringify(Array.isArray(parsed) ? parsed.map(replace) : replace(parsed))
  }

/** Reports an answer once it is complete. */
function listenTo(incoming: IncomingMessage, heard: (answer: string) => void): void {
  const chunks: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
  incoming.once('end', () => heard(Buffer.concat(chunks).toString('utf8')))
}

/** Forwards a request, and its answer back. @returns resolves when this is over, even after an error. */
async function forward(
  upstream: URL,
  body: Buffer,
  response: ServerResponse,
  bodies: BodyReader,
  { turn, heard, before }: Way,
): Promise<void> {
  const back = async (incoming: IncomingMessage): Promise<void> => {
    if (response.destroyed) return void incoming.resume()
    const status = incoming.statusCode ?? 502
    const headers = { 'content-type': 'application/json' }
    if (turn === undefined && before === undefined) {
      const length = incoming.headers['content-length']
      response.writeHead(status, length === undefined ? headers : { ...headers, 'content-length': length })
      if (heard !== undefined) listenTo(incoming, heard)
      pipeline(incoming, response, () => {})
      return
    }
    const answer = await bodies.read(incoming, response)
    const text = typeof answer === 'string' ? null : answer.toString('utf8')
    const turned = text === null || turn === undefined ? text : turn(text)
    if (turned === null) return void response.destroy()
    heard?.(turned)
    await before?.()
    response.writeHead(status, headers)
    response.end(turned)
  }
  const outgoing = httpRequest(upstream, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': body.length },
  })
  outgoing.on('error', () => response.destroy())
  surviveSocketErrors(outgoing)
  outgoing.end(body)
  try {
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    await back(incoming)
  } catch {
    response.destroy()
  }
}
