import { setTimeout as sleep } from 'node:timers/promises'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 8_000
/** Status of an exchange whose response was lost or cut off: the service may have received the request. */
const NO_RESPONSE = 0

/** Statuses after which the same request may succeed later (§7). */
export const isTemporary = (status) => status === NO_RESPONSE || status === 429 || status >= 500

/** Returns the pause after a number of consecutive failures: `Retry-After`, or else exponential backoff. */
export function pauseMs({ retryAfterMs }, failures) {
  const growing = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS)
  return Math.max(retryAfterMs ?? growing, FIRST_PAUSE_MS)
}

/** Repeats a request until its response is final. When the goal's time is up, the program ends (swap.mjs). */
export async function untilFinal(what, send) {
  for (let failures = 0; ; failures += 1) {
    const response = await send()
    if (!isTemporary(response.status)) return response
    console.error(`${what} got ${response.status || 'no response'}; trying again`)
    await sleep(pauseMs(response, failures))
  }
}

/** Sends a request once and reads the whole response; a body that is not JSON becomes null. */
export async function exchange(url, timeoutMs, init) {
  try {
    // A redirect is not followed: the API key is only for the service (§5).
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { ...init, redirect: 'manual', signal })
    const body = parse(await response.text())
    const status = response.ok && body === null ? NO_RESPONSE : response.status
    return { status, body, retryAfterMs: retryAfterMs(response.headers.get('retry-after')) }
  } catch {
    return { status: NO_RESPONSE, body: null, retryAfterMs: null }
  }
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** `Retry-After` holds seconds or a date. */
function retryAfterMs(header) {
  if (header === null) return null
  const waitMs = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isNaN(waitMs) ? null : waitMs
}
