/**
 * The program of the thread that owns a SQLite file: runs one statement at a time, in order of arrival, so that SQLite's waits
 * never block the service. Plain JavaScript, because a thread loads it without the loader of the sources.
 *
 * Receives `{ id, text, values }` and replies `{ id, result }` or `{ id, error }`; `null` closes the file and ends it.
 */
import { statSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import Database from 'libsql'

/** Prefix of a statement that must not read this connection's cache. */
const FRESH = '/* fresh */'

const database = open()
const identity = identityOf(workerData.path)

function open() {
  try {
    // A process that closes the file may have it locked. No statement can run before it is open, so this waits.
    const opened = new Database(workerData.path, { timeout: workerData.openTimeoutMs })
    opened.exec(workerData.pragmas)
    // From here on no statement waits for a lock: it would block the statements that do not need it.
    opened.exec('pragma busy_timeout = 0')
    return opened
  } catch (error) {
    // An error of the driver loses its message when it is passed to another thread.
    throw new Error(error.message)
  }
}

/** Returns an identifier of the file at this path; null: there is no file. */
function identityOf(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? null : `${stat.dev}:${stat.ino}`
}

function runFresh(text, values) {
  // This connection would keep using a file that has no path any more, and a new connection would create another file.
  if (identityOf(workerData.path) !== identity)
    throw Object.assign(new Error('the file has been removed or replaced'), { code: 'SQLITE_CANTOPEN' })
  const fresh = new Database(workerData.path)
  try {
    return resultOf(fresh.prepare(text), values)
  } finally {
    fresh.close()
  }
}

/** Prepared statements by SQL text. The store uses few texts; only their parameters differ. */
const statements = new Map()

function run(text, values) {
  if (text.startsWith(FRESH)) return runFresh(text, values)
  const statement = statements.get(text) ?? database.prepare(text)
  statements.set(text, statement)
  if (/^\s*select\b/i.test(text)) return resultOf(statement, values)
  // Takes the lock first, with a statement that is not cached. A cached one that found the file locked stays active, and until
  // it runs again SQLite commits nothing on this connection, although other statements succeed.
  database.exec('begin immediate')
  try {
    const result = resultOf(statement, values)
    database.exec('commit')
    return result
  } catch (error) {
    if (database.inTransaction) database.exec('rollback')
    throw error
  }
}

function resultOf(statement, values) {
  return statement.reader
    ? { rows: statement.all(values), changes: null }
    : { rows: [], changes: statement.run(values).changes }
}

parentPort.on('message', (message) => {
  if (message === null) {
    database.close()
    parentPort.close()
    return
  }
  const { id, text, values } = message
  try {
    parentPort.postMessage({ id, result: run(text, values) })
  } catch (error) {
    parentPort.postMessage({ id, error: { message: error.message, code: error.code } })
  }
})
