import { PlumblineError } from '../spec/errors.ts'
import type { HttpResponse } from '../spec/exchange.ts'
import { BlamedError, PromiseBrokenError } from './blame.ts'

/** No HTTP response came: the connection was refused, reset before a response began, or silent until the timeout. */
export class TargetSilentError extends BlamedError {
  override readonly name = 'TargetSilentError'
  constructor(url: string, problem: string, options: { cause?: unknown; advice?: string } = {}) {
    const { advice = 'Check that the service is running and listens there; its log may show why not.' } =
      options
    super('target', 'a response', `no response from ${url}: ${problem}`, advice, options)
  }
}

/** The process of the target has ended and is not started again: nothing was sent. */
export class TargetGoneError extends TargetSilentError {
  constructor(url: string, reason: string) {
    super(url, reason, { advice: 'Find in target.log what ended it.' })
  }
}

/** A response is not readable JSON: it broke off, or is larger than any response may be. */
export class UnreadableAnswerError extends PromiseBrokenError {
  /** The part of it that was read. */
  readonly response: HttpResponse
  constructor(expected: string, actual: string, response: HttpResponse) {
    super('service.json-bodies', expected, actual)
    this.response = response
  }
}

/** No response came within the time that §8 allows for the endpoint. */
export class LateResponseError extends PromiseBrokenError {}

/** The run has sent as many requests as it may. */
export class RequestBudgetError extends BlamedError {
  override readonly name = 'RequestBudgetError'
  constructor(most: number) {
    super(
      'harness',
      'a run within its requests',
      `the run may send ${most} requests, and has sent them`,
      'Choose fewer cases with --only.',
    )
  }
}

/** The run has taken as long as it may. */
export class RunOverError extends BlamedError {
  override readonly name = 'RunOverError'
  constructor() {
    super(
      'harness',
      'a run within its time',
      'the time of the run is over',
      'Give it more with --timeout, or choose fewer cases with --only.',
    )
  }
}

/** A target could not be started, or never became ready. No request was sent. */
export class TargetStartError extends PlumblineError {
  override readonly name = 'TargetStartError'
  /** End of its output. */
  readonly output: string
  constructor(problem: string, output: string) {
    super(
      `the target did not become ready: ${problem}${output === '' ? '' : `\n${output}`}`,
      'It must listen on the port in the variable PORT, and respond to GET /api/v1/quote with any status.',
    )
    this.output = output
  }
}

/** Nothing accepts connections at the address of a target. No request was sent. */
export class TargetUnreachableError extends PlumblineError {
  override readonly name = 'TargetUnreachableError'
  /** @param code error code of the last attempt, such as `ECONNREFUSED`; null: unknown. */
  constructor(url: string, code: string | null) {
    super(
      `no response at ${url}${code === null ? '' : ` (${code})`}`,
      `Check that ${ADVICE_BY_CODE[code ?? ''] ?? 'the service is running, that the URL is right, and that no firewall or proxy is in between'}. The run starts a service itself only with --start 'CMD'.`,
    )
  }
}

/** Things to check, by the error code of the last attempt. */
const ADVICE_BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the service is running, and that it listens at the host and port of the URL',
  ENOTFOUND: 'the host of the URL is spelt right, and that this machine can resolve it',
  EAI_AGAIN: 'this machine can resolve the host of the URL: its name server does not respond',
  EHOSTUNREACH:
    'the host of the URL can be reached from this machine: a route, a VPN or a firewall is in the way',
  ENETUNREACH:
    'the host of the URL can be reached from this machine: a route, a VPN or a firewall is in the way',
  ETIMEDOUT: 'the service is running, and that no firewall drops connections to the host and port of the URL',
}
