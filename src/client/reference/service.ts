import type { HttpResponse } from '../../spec/exchange.ts'
import { parseJson } from '../../spec/json.ts'
import type { BuildResponse, QuoteResponse } from '../../spec/wire.ts'
import { type ClientPorts, SwapFailedError } from './ports.ts'
import type { ClientRules } from './rules.ts'

/** Calls the service, and repeats requests that may still succeed until the deadline (§7). */
export class SwapService {
  readonly #ports: ClientPorts
  readonly #rules: ClientRules
  readonly #deadlineMs: number

  constructor(ports: ClientPorts, rules: ClientRules, deadlineMs: number) {
    this.#ports = ports
    this.#rules = rules
    this.#deadlineMs = deadlineMs
  }

  /** @throws {SwapFailedError} */
  async quote(): Promise<QuoteResponse> {
    const query = new URLSearchParams(this.#rules.quoteQuery(this.#ports.goal))
    return (await this.#untilFinal('quote', `/api/v1/quote?${query}`, null)) as QuoteResponse
  }

  /** @throws {SwapFailedError} */
  async build(sender: string): Promise<BuildResponse> {
    const body = this.#rules.buildBody(this.#ports.goal, sender)
    return (await this.#untilFinal('build', '/api/v1/swap/build', body)) as BuildResponse
  }

  /**
   * Reports a swap until it is recorded.
   *
   * @param meanwhile runs before each repetition.
   * @throws {SwapFailedError}
   */
  async report(body: object, meanwhile: () => Promise<void>): Promise<void> {
    await this.#untilFinal('confirm', '/api/v1/swap/confirm', JSON.stringify(body), meanwhile)
  }

  async #untilFinal(
    endpoint: 'quote' | 'build' | 'confirm',
    path: string,
    body: string | null,
    meanwhile: () => Promise<void> = async () => {},
  ): Promise<unknown> {
    const { time } = this.#ports
    for (let attempt = 0; ; attempt += 1) {
      const response = await this.#send(endpoint, path, body)
      const meaning = response === null ? 'again' : this.#rules.meaning(endpoint, response.status)
      if (response !== null && meaning === 'final') return parseJson(response.body)
      const problem = response === null ? 'no response' : `status ${response.status} ${response.body}`
      if (meaning === 'rejected') throw new SwapFailedError(`${endpoint}: ${problem}`)
      const pauseMs = this.#rules.pauseMs(attempt, response, time.nowMs())
      if (pauseMs === null || time.nowMs() + pauseMs > this.#deadlineMs)
        throw new SwapFailedError(`${endpoint}: given up after ${problem}`)
      await time.sleep(pauseMs)
      await meanwhile()
    }
  }

  async #send(
    endpoint: 'quote' | 'build' | 'confirm',
    path: string,
    body: string | null,
  ): Promise<HttpResponse | null> {
    const { http, apiKey } = this.#ports
    const headers = {
      ...this.#rules.headers(apiKey, endpoint),
      ...(body === null ? {} : { 'content-type': 'application/json' }),
    }
    try {
      return await http({ method: body === null ? 'GET' : 'POST', path, headers, body })
    } catch {
      // A lost response is requested again.
      return null
    }
  }
}
