import { type DestinationStream, pino } from 'pino'
import type { Clock, Log } from '../ports.ts'
import { standardErrorWriter } from './lines.ts'
import { redact } from './redact.ts'

export const LOG_LEVELS = ['info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export interface LogOptions {
  readonly clock: Clock
  readonly level: LogLevel
  /**
   * Destination of the lines; standard error by default, so that standard output stays the caller's. Lines that standard error
   * has no room for are dropped, and a `log.dropped` line reports their number.
   */
  readonly stream?: DestinationStream
}

/**
 * Returns a structured log: one JSON object per line, with `timeMs` from the clock port and a fixed, searchable `event` name.
 * Secrets are removed from every field before it is written.
 */
export function createLog({ clock, level, stream }: LogOptions): Log {
  const describeDropped = (lines: number) =>
    `${JSON.stringify({ level: 'error', timeMs: clock.nowMs(), lines, event: 'log.dropped' })}\n`
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'event',
      timestamp: () => `,"timeMs":${clock.nowMs()}`,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream ?? standardErrorWriter(describeDropped),
  )
  const write = (at: 'info' | 'warn' | 'error') => (event: string, fields: Record<string, unknown>) => {
    if (logger.isLevelEnabled(at)) logger[at](redact(fields), event)
  }
  return { info: write('info'), warn: write('warn'), error: write('error') }
}
