/** Returns the delay in `Retry-After`, whole seconds or a date, in milliseconds; null: absent or unreadable. */
export function readRetryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number): number | null {
  const value = headers['retry-after']
  if (value === undefined) return null
  if (/^\d+$/.test(value)) return Number(value) * 1_000
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs)
}
