import { RECORDING_TONES } from '../../documents/recording.ts'
import type { RecordingSummary } from '../../report/recordingSummary.ts'
import { TONES } from '../document.ts'

/** Returns the CSS class of a recording's verdict, which sets its colour. */
export const classOf = (verdict: RecordingSummary['verdict']) => TONES[RECORDING_TONES[verdict]]

export function duration(durationMs: number): string {
  if (durationMs < 1000) return `${durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} ms`
  if (durationMs < 60_000) return `${(durationMs / 1000).toFixed(1)} s`
  return `${Math.floor(durationMs / 60_000)} min ${Math.round((durationMs % 60_000) / 1000)} s`
}

/** Returns an ISO 8601 time as `22 November 2026, 15:48 UTC`: the same on every machine. */
export function dateOf(iso: string): string {
  const at = new Date(iso)
  const day = at.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  return `${day}, ${at.toISOString().slice(11, 16)} UTC`
}
