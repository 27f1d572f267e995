import http from 'node:http'
import https from 'node:https'
import { surviveSocketErrors } from '../../sandbox/surviveSocketErrors.ts'
import { withoutCredentials } from '../../spec/secrets/url.ts'
import { TargetStartError, TargetUnreachableError } from '../errors.ts'
import { realTime } from '../realTime.ts'
import type { SpawnedProcess } from './spawnedProcess.ts'

const PROBE_EVERY_MS = 50
/** A slow service may keep every promise: a quote may take 15 s. */
const PROBE_TIMEOUT_MS = 16_000
/** The header counts whole seconds, and a round trip takes time: smaller differences do not count. */
const CLOCK_TOLERANCE_MS = 2_000
/** An endpoint of the interface: the specification promises no other path. */
const PROBE_PATH = '/api/v1/quote'

/** Statuses of a gateway whose service has not started. */
const OF_GATEWAYS: ReadonlySet<number | undefined> = new Set([502, 503, 504])
/** Time that a service behind a gateway may take to start; after it, that status counts as the service's own. */
const GATEWAY_TIMEOUT_MS = 30_000

/** Result of a request for a sign of life. */
type Sign =
  | { readonly kind: 'response'; readonly clockAheadMs: number; readonly isOfGateway: boolean }
  /** Something took the connection, or did not refuse it, but no response began. */
  | { readonly kind: 'connection' }
  | { readonly kind: 'nothing'; readonly code: string | null }

/** Limits for waiting for a target. */
export interface Patience {
  readonly timeoutMs: number
  /** Epoch milliseconds at which the whole run ends; half of the time until then is left to the cases. */
  readonly runEndsAtMs: number
  /** True if a target that accepts connections counts as ready although it does not respond: it was not just started. */
  readonly connectionSuffices: boolean
}

/**
 * Waits until a response begins at the quote endpoint of `url`, whatever its status; its body is not read. A target that
 * accepts connections without responding until the time is over also counts as ready, and so does one that responds like a
 * gateway whose service has not started: the cases find that it serves nothing.
 *
 * @returns time by which the target's clock is ahead of this machine's, in milliseconds; 0 if it is about the same or unknown.
 * @throws {TargetStartError} the process ended, or nothing accepted a connection until the time was over.
 * {TargetUnreachableError} the latter, of a target that was running already.
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
