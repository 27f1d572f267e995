import http from 'node:http'
import https from 'node:https'
import { surviveSocketErrors } from '../../sandbox/surviveSocketErrors.ts'
import { withoutCredentials } from '../../spec/secrets/url.ts'
import { TargetStartError, TargetUnreachableError } from '../errors.ts'
import { realTime } from '../realTime.ts'
import type { SpawnedProcess } from './spawnedProcess.ts'

const PROBE_EVERY_MS = 50
/** A service may be slow and keep every promise: a quote may take 15 s. */
const PROBE_TIMEOUT_MS = 16_000
/** The header counts whole seconds, and the way there and back takes its time: less than this is no difference. */
const CLOCK_TOLERANCE_MS = 2_000
/** An endpoint of the interface: what is served anywhere else is nobody's promise. */
const PROBE_PATH = '/api/v1/quote'

/** What a gateway responds as long as the service behind it has not started. */
const OF_GATEWAYS: ReadonlySet<number | undefined> = new Set([502, 503, 504])
/** So long a service may take to start behind one; it may as well be a service that responds like this for good. */
const GATEWAY_TIMEOUT_MS = 30_000

/** Describes what a request for a sign of life came to. */
type Sign =
  | { readonly kind: 'response'; readonly clockAheadMs: number; readonly isOfGateway: boolean }
  /** Something took the connection, or does not refuse it, and no response began. */
  | { readonly kind: 'connection' }
  | { readonly kind: 'nothing'; readonly code: string | null }

/** Describes how a target is waited for. */
export interface Patience {
  readonly timeoutMs: number
  /** Epoch milliseconds at which the whole run ends; half of its time is left to the cases. */
  readonly runEndsAtMs: number
  /** True if something that takes connections is there although it responds to nothing: it was not started just now. */
  readonly connectionSuffices: boolean
}

/**
 * Waits until a response begins at the quote endpoint of `url`, whatever it is: its body is not read. What takes connections until the
 * time is over and responds to nothing is there as well, and so is what responds like a gateway whose service has not started; that it
 * serves nothing is for the cases to find.
 *
 * @returns what the target's clock shows beyond this machine's, in milliseconds; 0 where it is about the same or unknown.
 * @throws {TargetStartError} the process ended, or nothing takes a connection until the time is over.
 *   {TargetUnreachableError} the latter, of a target that was running already.
 */
export async function untilReady(
  url: URL,
  process: Pick<SpawnedProcess, 'ended' | 'output'>,
  { timeoutMs, runEndsAtMs, connectionSuffices }: Patience,
): Promise<number> {
  const beganAtMs = realTime.nowMs()
  const leavesAtMs = (beganAtMs + runEndsAtMs) / 2
  const endsAtMs = Math.min(beganAtMs + timeoutMs, leavesAtMs)
  const gatewayEndsAtMs = connectionSuffices ? beganAtMs : Math.min(beganAtMs + GATEWAY_TIMEOUT_MS, endsAtMs)
  for (;;) {
    const ended = process.ended()
    if (ended !== null) throw new TargetStartError(ended, process.output())
    const sign = await probe(url, Math.max(1, Math.min(PROBE_TIMEOUT_MS, leavesAtMs - realTime.nowMs())))
    const nowMs = realTime.nowMs()
    const isLate = nowMs >= endsAtMs
    if (sign.kind === 'response' && (!sign.isOfGateway || nowMs >= gatewayEndsAtMs)) return sign.clockAheadMs
    if (sign.kind === 'connection') {
      if (isLate || connectionSuffices) return 0
    } else if (sign.kind === 'nothing' && isLate) {
      if (connectionSuffices) throw new TargetUnreachableError(withoutCredentials(url).href, sign.code)
      throw new TargetStartError(`no response at ${url.href}`, process.output())
    }
    await realTime.pass(PROBE_EVERY_MS)
  }
}

function probe(base: URL, timeoutMs: number): Promise<Sign> {
  const client = base.protocol === 'https:' ? https : http
  const url = `${base.href.replace(/\/$/, '')}${PROBE_PATH}`
  const sentAtMs = realTime.nowMs()
  return new Promise((resolve) => {
    let isConnected = false
    const request = client.get(url, { agent: false })
    const end = (sign: Sign) => {
      clearTimeout(timer)
      request.destroy()
      resolve(sign)
    }
    const timer = setTimeout(() => end({ kind: 'connection' }), timeoutMs)
    request.on('socket', (socket) => {
      socket.on('connect', () => {
        isConnected = true
      })
    })
    request.on('error', ({ code }: NodeJS.ErrnoException) =>
      end(isConnected ? { kind: 'connection' } : { kind: 'nothing', code: code ?? null }),
    )
    surviveSocketErrors(request)
    request.on('upgrade', () => end({ kind: 'connection' }))
    request.on('response', ({ headers, statusCode }) =>
      end({
        kind: 'response',
        clockAheadMs: clockAheadMs(headers.date, sentAtMs),
        isOfGateway: OF_GATEWAYS.has(statusCode),
      }),
    )
  })
}

function clockAheadMs(date: string | undefined, sentAtMs: number): number {
  const shownMs = Date.parse(date ?? '')
  if (Number.isNaN(shownMs)) return 0
  const middleMs = (sentAtMs + realTime.nowMs()) / 2
  const aheadMs = Math.round(shownMs + 500 - middleMs)
  return Math.abs(aheadMs) < CLOCK_TOLERANCE_MS ? 0 : aheadMs
}
