import { StoreUnavailableError } from '../errors.ts'

/**
 * Result codes of SQLite that speak of the disk, of other processes or of the machine, never of our SQL. A code may
 * carry a detail behind its name: `SQLITE_BUSY_SNAPSHOT`.
 */
const SQLITE_PASSING =
  /^SQLITE_(?:BUSY|LOCKED|IOERR|FULL|CANTOPEN|NOMEM|READONLY|INTERRUPT|PROTOCOL|CORRUPT|NOTADB|PERM)(?:_|$)/

/**
 * SQLSTATE classes: 08 connection, 25006 read-only during a failover, 28 and 3D refused at the door, 40 rolled back,
 * 53 resources, 55 not in the needed state, 57 operator intervention, 58 system error.
 */
const POSTGRES_PASSING = /^(?:08|28|3D|40|53|55|57|58)[0-9A-Z]{3}$|^25006$/

/** Errors of the socket below `pg`. */
const SOCKET =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/

/** `pg` reports a line that broke under a query without any code. */
const POSTGRES_BROKEN_LINE =
  /^Connection terminated|^Client has encountered a connection error|^Client was closed|^Query read timeout/

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
 * What a driver's error means to the caller: a `StoreUnavailableError` when the database may answer later, otherwise
 * the error itself, because a broken constraint or malformed SQL is our bug and must not read as "try again".
 */
export function asStoreError(error: unknown): unknown {
  if (error instanceof StoreUnavailableError || !(error instanceof Error)) return error
  return isPassing(error) ? new StoreUnavailableError(error.message, { cause: error }) : error
}
