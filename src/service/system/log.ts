import { type DestinationStream, destination, pino } from 'pino'
import type { Clock, Log } from '../ports.ts'
import { redact } from './redact.ts'

export const LOG_LEVELS = ['info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export interface LogOptions {
  readonly clock: Clock
  readonly level: LogLevel
  /** Destination of the lines; standard error by default, so that standard output stays the caller's. */
  readonly stream?: DestinationStream
}

/**
 * A structured log: one JSON object per line, with `timeMs` from the clock port and a fixed, searchable `event` name.
 * Secrets are removed from every field before it is written.
 */
export function createLog({ clock, level, stream }: LogOptions): Log {
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'event',
      timestamp: () => `,"timeMs":${clock.nowMs()}`,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream ?? destination({ dest: 2, sync: true }),
  )
  const write = (at: 'info' | 'warn' | 'error') => (event: string, fields: Record<string, unknown>) => {
    if (logger.isLevelEnabled(at)) logger[at](redact(fields), event)
  }
  return { info: write('info'), warn: write('warn'), error: write('error') }
}
