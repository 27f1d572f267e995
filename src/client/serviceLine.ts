import { type ClientRequest, observeClientRequest, observeClientResponse } from '../oracles/index.ts'
import type { Exchange, HttpRequest, HttpResponse, Transport } from '../spec/exchange.ts'
import { parseJson } from '../spec/json.ts'
import {
  CutError,
  holdsPrivateKey,
  keysIn,
  type LineOptions,
  readableUrl,
  Strikes,
  type Struck,
} from './line.ts'

/** Changes to some requests of a case's client, applied in the order of the fields. */
export interface ServiceFault extends Struck {
  readonly on: 'quote' | 'build' | 'confirm'
  /** Only responses of the service with this status are changed. Default: any request. */
  readonly status?: number
  /** Cuts the connection before the service gets the request, or before the client gets the response. */
  readonly cut?: 'request' | 'response'
  /** A response in place of the service's, which does not get the request. */
  readonly reply?: {
    readonly status: number
    readonly body: object
    readonly headers?: Record<string, string>
  }
  /** Changes the body of a response with status 200. */
  readonly change?: (body: never) => unknown
  /** Runs once the response exists, and before the client gets it. */
  readonly meanwhile?: (response: HttpResponse) => unknown
}

/** Recorded in place of a response that the client did not get. */
const CUT: HttpResponse = { status: 0, headers: {}, body: 'the case cut the connection' }

/** The line between a client and the service: records the exchanges, and injects the faults of the case. */
export class ServiceLine {
  readonly requests: ClientRequest[] = []
  /** Indexed by request number; the key is still in them. */
  readonly exchanges: Exchange[] = []
  /** Descriptions of the places where a key was found. */
  readonly leaks = new Set<string>()
  readonly #options: ServiceLineOptions
  readonly #strikes = new Strikes()

  constructor(options: ServiceLineOptions) {
    this.#options = options
  }

  /** Forwards one request of the client. Throws where the connection is cut. */
  readonly carry: Transport = async (request) => {
    const { time, service, life, onEvent, guard } = this.#options
    const sentAtMs = time.nowMs()
    const sentIn = life()
    const at = this.requests.length
    const asked = observeClientRequest(request)
    const { endpoint } = asked
    this.requests.push({ ...asked, authorization: this.#checkKeys(request), sentAtMs, response: null })
    onEvent({ kind: 'request', exchange: at, atMs: sentAtMs })
    this.#keep(at, request, CUT, sentAtMs)
    const early = this.#faultOf(endpoint)
    if (early?.cut === 'request') throw new CutError()
    const answered = early?.reply === undefined ? await service(request) : replied(early.reply)
    const fault = early ?? this.#faultOf(endpoint, answered.status)
    const response = changed(answered, fault)
    await guard(Promise.resolve(fault?.meanwhile?.(response)))
    const isCut = fault?.cut === 'response'
    const receivedAtMs = time.nowMs()
    this.#keep(at, request, isCut ? CUT : response, sentAtMs)
    onEvent({ kind: 'response', exchange: at, atMs: receivedAtMs })
    if (isCut) throw new CutError()
    if (sentIn === life())
      this.requests[at] = {
        ...(this.requests[at] as ClientRequest),
        response: observeClientResponse(response, receivedAtMs),
      }
    return response
  }

  #faultOf(endpoint: ClientRequest['endpoint'], status?: number): ServiceFault | undefined {
    const { faults } = this.#options
    return faults.find((each) => each.on === endpoint && each.status === status && this.#strikes.next(each))
  }

  #keep(at: number, request: HttpRequest, response: HttpResponse, sentAtMs: number): void {
    const durationMs = this.#options.time.nowMs() - sentAtMs
    this.exchanges[at] = { request, response, timing: { sentAtMs, durationMs } }
  }

  /** Records keys in parts of a request that must not contain them, and classifies its Authorization header. */
  #checkKeys(request: HttpRequest): ClientRequest['authorization'] {
    const { apiKey, privateKey } = this.#options
    for (const leak of keysIn(readableUrl(request.path), 'a URL', this.#options)) this.leaks.add(leak)
    if (holdsPrivateKey(request.body ?? '', privateKey))
      this.leaks.add('the private key in a request to the service')
    const { authorization } = request.headers
    if (authorization === undefined) return 'none'
    return authorization === `Bearer ${apiKey}` ? 'the key' : 'another text'
  }
}

interface ServiceLineOptions extends LineOptions<ServiceFault> {
  readonly service: Transport
  /** Returns the number of the client's current start: a response due to an earlier one reaches no client. */
  life(): number
}

function replied({ status, body, headers = {} }: NonNullable<ServiceFault['reply']>): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
}

function changed(response: HttpResponse, fault: ServiceFault | undefined): HttpResponse {
  if (fault?.change === undefined || response.status !== 200) return response
  return { ...response, body: JSON.stringify(fault.change(parseJson(response.body) as never)) }
}
