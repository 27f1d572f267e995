import type { Transport } from './exchange.ts'
import { liveTime } from './liveTime.ts'

/** The header counts whole seconds, and the way there and back takes its time: less than this is no difference. */
const TOLERANCE_MS = 2_000

/**
 * What a target's clock shows beyond this machine's, in milliseconds; 0 where it is about the same or unknown.
 *
 * @throws what `transport` throws where no answer comes.
 */
export async function clockAheadMs(transport: Transport): Promise<number> {
  const askedAtMs = liveTime.nowMs()
  const { headers } = await transport({ method: 'GET', path: '/', headers: {}, body: null })
  const shownMs = Date.parse(headers.date ?? '')
  if (Number.isNaN(shownMs)) return 0
  const middleMs = (askedAtMs + liveTime.nowMs()) / 2
  const aheadMs = Math.round(shownMs + 500 - middleMs)
  return Math.abs(aheadMs) < TOLERANCE_MS ? 0 : aheadMs
}
