import { LIMITS } from '../../spec/limits.ts'
import { judge, observeChoice, type Verdict } from '../verdict.ts'

export interface ValidUntil {
  readonly epochMs: number
  readonly form: 'epoch-s' | 'epoch-ms' | 'epoch-us' | 'epoch-ns' | 'iso-8601' | 'http-date'
}

/**
 * Units of a number, each with the least value that is read in it. The least number of seconds lies in 2001, before any build.
 * At the boundary of two units, a number means the year 5138 in the larger unit and 1973 in the smaller one.
 */
const UNITS = [
  { least: 1e17, form: 'epoch-ns', perMs: 1e6 },
  { least: 1e14, form: 'epoch-us', perMs: 1e3 },
  { least: 1e11, form: 'epoch-ms', perMs: 1 },
  { least: 1e9, form: 'epoch-s', perMs: 1e-3 },
] as const
/** Tolerance in every format: a window may count from the second or block of the build, or by a store's clock, in seconds. */
const TOLERANCE_MS = 2_000
const ISO_8601 =
  /^(\d{4})-?(\d{2})-?(\d{2})[Tt ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|z|[+-]\d{2}(?::?\d{2})?)?$/
/** The date of HTTP (RFC 9110 §5.6.7) and of mail, which may name another zone. */
const HTTP_DATE = /^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} (?:GMT|UTC|[+-]\d{4})$/

/**
 * Reads `attribution.validUntil`, whose unit and format §2.5 leaves open: a number of seconds, milliseconds, microseconds or
 * nanoseconds since 1970 (also as text), ISO 8601 in its extended or basic form (UTC without an offset), or an HTTP date.
 * Null: none of these.
 */
export function parseValidUntil(value: unknown): ValidUntil | null {
  if (typeof value === 'number') return fromNumber(value)
  if (typeof value !== 'string') return null
  if (/^\d+(?:\.\d+)?$/.test(value)) return fromNumber(Number(value))
  return HTTP_DATE.test(value) ? fromHttpDate(value) : fromIso(value)
}

export interface WindowFacts {
  readonly validUntil: unknown
  /** Times of the request and of its response, by the clock of the service. */
  readonly askedAtMs: number
  readonly answeredAtMs: number
}

/**
 * Judges that `validUntil` lies 20 minutes after the build (§2.5, §8), and records its format. An unknown format is not judged,
 * as unit and format are not shown. The build happened between request and response, by a clock that may be off by two seconds.
 *
 * Not judged: whether confirm keeps to the window (report.ts).
 */
export function judgeValidUntil({ validUntil, askedAtMs, answeredAtMs }: WindowFacts): readonly Verdict[] {
  const parsed = parseValidUntil(validUntil)
  const least = askedAtMs + LIMITS.attributionWindowMs - TOLERANCE_MS
  const most = answeredAtMs + LIMITS.attributionWindowMs + TOLERANCE_MS
  const holds = parsed !== null && least <= parsed.epochMs && parsed.epochMs <= most
  const details = { expected: `${least} to ${most} (epoch ms)`, actual: parsed?.epochMs ?? validUntil }
  const isThere = validUntil !== undefined && validUntil !== null
  return [
    ...(parsed === null && isThere ? [] : [judge('attribution.valid-until.window', holds, details)]),
    observeChoice(
      'attribution.valid-until.format',
      parsed?.form ?? 'unreadable',
      parsed?.form ?? { unreadable: validUntil },
    ),
  ]
}

function fromNumber(value: number): ValidUntil | null {
  const unit = Number.isFinite(value) ? UNITS.find(({ least }) => value >= least) : undefined
  if (unit === undefined) return null
  const epochMs = value / unit.perMs
  return { epochMs: unit.form === 'epoch-ms' ? epochMs : Math.round(epochMs), form: unit.form }
}

function fromHttpDate(text: string): ValidUntil | null {
  const epochMs = Date.parse(text)
  return Number.isNaN(epochMs) ? null : { epochMs, form: 'http-date' }
}

function fromIso(text: string): ValidUntil | null {
  const parts = ISO_8601.exec(text)
  if (parts === null) return null
  const [, year, month, day, hour, minute, second = '0', fraction = '', zone = 'Z'] = parts
  const local = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  )
  // Date.UTC turns 31 February into a day of March; such a date is invalid.
  if (new Date(local).getUTCDate() !== Number(day) || Number(hour) > 23 || Number(minute) > 59) return null
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3))
  return { epochMs: local + milliseconds - offsetMs(zone), form: 'iso-8601' }
}

function offsetMs(zone: string): number {
  if (zone.toUpperCase() === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + (zone.length > 3 ? Number(zone.slice(-2)) : 0)
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}
