import { LIMITS } from '../../spec/limits.ts'
import { judge, observe, type Verdict } from '../verdict.ts'

export interface ValidUntil {
  readonly epochMs: number
  readonly form: 'epoch-ms' | 'epoch-s' | 'iso-8601'
}

/**
 * Below this a number is seconds, from it on milliseconds: as seconds it lies in the year 5138, as milliseconds in 1973.
 */
const FIRST_MILLISECONDS = 100_000_000_000
/** As seconds this lies in 2001; a smaller number is no time of a build. */
const FIRST_SECONDS = 1_000_000_000
/**
 * A window may count from the second or the block of the build, or by the clock of a store, and be rounded to the second:
 * in every form it may be this much off.
 */
const TOLERANCE_MS = 2_000
const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|z|[+-]\d{2}:?\d{2})?$/

/**
 * Reads `attribution.validUntil`, whose unit and format §2.5 leaves open: epoch milliseconds, epoch seconds (both also
 * as text), or ISO 8601 with or without an offset; without one it is UTC. Null: none of these.
 */
export function parseValidUntil(value: unknown): ValidUntil | null {
  if (typeof value === 'number') return fromNumber(value)
  if (typeof value !== 'string') return null
  if (/^\d+(?:\.\d+)?$/.test(value)) return fromNumber(Number(value))
  return fromIso(value)
}

export interface WindowFacts {
  readonly validUntil: unknown
  /** Times of the request and of its response, by the clock of the service. */
  readonly askedAtMs: number
  readonly answeredAtMs: number
}

/**
 * Judges that `validUntil` lies 20 minutes after the build (§2.5, §8), and writes its form down. The build happened
 * between asking and answering, and what it calls "now" may be off by two seconds in either direction.
 *
 * Not judged: whether confirm keeps to it (report.ts).
 */
export function judgeValidUntil({ validUntil, askedAtMs, answeredAtMs }: WindowFacts): readonly Verdict[] {
  const parsed = parseValidUntil(validUntil)
  const least = askedAtMs + LIMITS.attributionWindowMs - TOLERANCE_MS
  const most = answeredAtMs + LIMITS.attributionWindowMs + TOLERANCE_MS
  const holds = parsed !== null && least <= parsed.epochMs && parsed.epochMs <= most
  return [
    judge('attribution.valid-until.window', holds, {
      expected: `${least} to ${most} (epoch ms)`,
      actual: parsed === null ? { unreadable: validUntil } : parsed.epochMs,
    }),
    observe('attribution.valid-until.format', parsed?.form ?? { unreadable: validUntil }),
  ]
}

function fromNumber(value: number): ValidUntil | null {
  if (!Number.isFinite(value) || value < FIRST_SECONDS) return null
  return value < FIRST_MILLISECONDS
    ? { epochMs: Math.round(value * 1000), form: 'epoch-s' }
    : { epochMs: value, form: 'epoch-ms' }
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
  // Date.UTC carries a 31 February over into March; such a date is no date.
  if (new Date(local).getUTCDate() !== Number(day) || Number(hour) > 23 || Number(minute) > 59) return null
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3))
  return { epochMs: local + milliseconds - offsetMs(zone), form: 'iso-8601' }
}

function offsetMs(zone: string): number {
  if (zone.toUpperCase() === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}
