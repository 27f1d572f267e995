import { exchange, untilFinal } from './http.mjs'

/** §8: a quote takes 15 s at most, a build 30 s. */
const TIMEOUT_MS = { '/quote': 16_000, '/swap/build': 31_000, '/swap/confirm': 10_000 }

/** The three endpoints of the service (§4). Each returns the status and the body of a response. */
export class Service {
  #url
  #headers

  constructor(baseUrl, apiKey) {
    this.#url = `${baseUrl.replace(/\/$/, '')}/api/v1`
    this.#headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
  }

  /** §4.1. */
  quote(amount, fields) {
    const query = `?${new URLSearchParams({ ...fields, amount })}`
    return untilFinal('the quote', () => this.#send('GET', '/quote', query))
  }

  /** §4.2. A build has no effect by itself, so it is repeated if its response is lost. */
  build(amount, fields) {
    // JSON.stringify would round a long number or write an exponent, so the goal's text is inserted as it is.
    const json = `{"amount":${amount},${JSON.stringify(fields).slice(1)}`
    return untilFinal('the build', () => this.#send('POST', '/swap/build', '', json))
  }

  /** §4.3, without retries: the caller saves the time of the next report, so that it survives a restart. */
  confirm(buildId, txHash) {
    return this.#send('POST', '/swap/confirm', '', JSON.stringify({ buildId, txHash }))
  }

  #send(method, path, query, body) {
    const init = { method, headers: this.#headers, body }
    return exchange(this.#url + path + query, TIMEOUT_MS[path], init)
  }
}
