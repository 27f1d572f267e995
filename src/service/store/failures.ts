import { StoreUnavailableError } from '../errors.ts'

/**
 * SQLite result codes caused by the disk, other processes or the machine, never by our SQL. A code may have a suffix:
 * `SQLITE_BUSY_SNAPSHOT`.
 */
const SQLITE_PASSING =
  /^SQLITE_(?:BUSY|LOCKED|IOERR|FULL|CANTOPEN|NOMEM|READONLY|INTERRUPT|PROTOCOL|CORRUPT|NOTADB|PERM)(?:_|$)/

/**
 * SQLSTATE classes: 08 connection, 25006 read-only during a failover, 28 and 3D login refused, 40 rolled back,
 * 53 resources, 55 object not in prerequisite state, 57 operator intervention, 58 system error.
 */
const POSTGRES_PASSING = /^(?:08|28|3D|40|53|55|57|58)[0-9A-Z]{3}$|^25006$/

/** Error codes of the socket below `pg`. */
const SOCKET =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/

/** `pg` reports a connection lost during a query without a code. */
const POSTGRES_BROKEN_LINE =
  /^Connection terminated|^Client has encountered a connection error|^Client was closed|^Query read timeout/

/** Returns whether a SQLite code means that another process has locked the file. */
export const isLocked = (code: string | undefined): boolean =>
  code !== undefined && /^SQLITE_BUSY(?:_|$)/.test(code)

function isPassing(error: Error & { readonly code?: unknown }): boolean {
  const code = typeof error.code === 'string' ? error.code : ''
  return (
    SQLITE_PASSING.test(code) ||
    POSTGRES_PASSING.test(code) ||
    SOCKET.test(code) ||
    POSTGRES_BROKEN_LINE.test(error.message)
  )
}

/**
 * Classifies a driver's error: a `StoreUnavailableError` when a retry may succeed, otherwise
 * the error itself, because a violated constraint or malformed SQL is our bug and must not be reported as "try again".
 */
export function asStoreError(error: unknown): unknown {
  if (error instanceof StoreUnavailableError || !(error instanceof Error)) return error
  return isPassing(error) ? new StoreUnavailableError(error.message, { cause: error }) : error
}
