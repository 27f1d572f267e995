import { Worker } from 'node:worker_threads'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { StoreUnavailableError } from '../errors.ts'
import type { Clock } from '../ports.ts'
import { isLocked } from './failures.ts'

/** Time that a statement waits for a write lock held by another process. */
export const BUSY_TIMEOUT_MS = 5_000
/** Pause between two attempts to get the lock. */
const BUSY_RETRY_MS = 20

/**
 * Prefix of a statement that must read from storage: on a file it runs on a new connection, which has nothing cached.
 * sqliteThread.mjs has the same constant.
 */
export const FRESH = '/* fresh */'

const PROGRAM = new URL('./sqliteThread.mjs', import.meta.url)

interface StatementResult {
  readonly rows: unknown[]
  /** Null for a statement that returns rows. */
  readonly changes: number | null
}

type Reply =
  | { readonly id: number; readonly result: StatementResult }
  | { readonly id: number; readonly error: { readonly message: string; readonly code?: string } }

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  /** Time at which it stops waiting for a lock. */
  readonly endsAtMs: number
  readonly resolve: (result: StatementResult) => void
  readonly reject: (error: Error) => void
}

interface SqliteFileOptions {
  readonly path: string
  /** Run when the file is opened. */
  readonly pragmas: string
  readonly clock: Clock
}

/**
 * A SQLite file that a dedicated thread reads and writes. A statement that finds the file locked by another process waits here
 * for up to `BUSY_TIMEOUT_MS`, while others continue. If the thread ends, the next statement starts a new one.
 */
class SqliteFile {
  readonly #options: SqliteFileOptions
  #thread: Worker | null = null
  #count = 0
  readonly #running = new Map<number, Statement>()
  /** Statements that found the file locked, oldest first. After a pause the first is retried; when it succeeds, all are. */
  readonly #locked: Statement[] = []
  #tried: Statement | null = null
  #cancelRetry: (() => void) | null = null

  constructor(options: SqliteFileOptions) {
    this.#options = options
  }

  /** @throws {StoreUnavailableError} the thread ended. Errors of SQLite have its `code`. */
  run(text: string, values: readonly unknown[]): Promise<StatementResult> {
    const endsAtMs = this.#options.clock.monotonicMs() + BUSY_TIMEOUT_MS
    return new Promise((resolve, reject) => this.#send({ text, values, endsAtMs, resolve, reject }))
  }

  /** Runs the statements already sent, then closes the file. Statements that wait for a lock are rejected. */
  async close(): Promise<void> {
    const thread = this.#thread
    if (thread === null) return
    const ended = new Promise((resolve) => thread.once('exit', resolve))
    thread.postMessage(null)
    await ended
  }

  #send(statement: Statement): void {
    this.#thread ??= this.#start()
    this.#count += 1
    this.#running.set(this.#count, statement)
    this.#thread.postMessage({ id: this.#count, text: statement.text, values: statement.values })
  }

  #start(): Worker {
    const { path, pragmas } = this.#options
    const thread = new Worker(PROGRAM, {
      workerData: { path, pragmas, openTimeoutMs: BUSY_TIMEOUT_MS },
      execArgv: [],
    })
    let reason = 'its thread ended'
    thread.on('message', (reply: Reply) => this.#receive(reply))
    thread.on('error', (error) => {
      reason = error.message
    })
    thread.on('exit', () => this.#refuseAll(reason))
    return thread
  }

  #receive(reply: Reply): void {
    const statement = this.#running.get(reply.id)
    if (statement === undefined) return
    this.#running.delete(reply.id)
    const wasTried = statement === this.#tried
    if (wasTried) this.#tried = null
    if ('error' in reply && isLocked(reply.error.code) && !this.#isLate(statement)) {
      if (wasTried) this.#locked.unshift(statement)
      else this.#locked.push(statement)
      this.#retryLater()
      return
    }
    if ('error' in reply) {
      statement.reject(Object.assign(new Error(reply.error.message), { code: reply.error.code }))
    } else statement.resolve(reply.result)
    if (!wasTried) return
    if ('error' in reply && isLocked(reply.error.code)) {
      this.#refuseLate()
      this.#retryLater()
    } else for (const waiting of this.#locked.splice(0)) this.#send(waiting)
  }

  #retryLater(): void {
    if (this.#tried !== null || this.#cancelRetry !== null) return
    this.#cancelRetry = this.#options.clock.after(BUSY_RETRY_MS, () => {
      this.#cancelRetry = null
      this.#refuseLate()
      this.#tried = this.#locked.shift() ?? null
      if (this.#tried !== null) this.#send(this.#tried)
    })
  }

  #refuseLate(): void {
    while (this.#locked[0] !== undefined && this.#isLate(this.#locked[0])) {
      this.#locked.shift()?.reject(lockedError())
    }
  }

  #isLate({ endsAtMs }: Statement): boolean {
    return this.#options.clock.monotonicMs() >= endsAtMs
  }

  #refuseAll(reason: string): void {
    this.#thread = null
    this.#tried = null
    this.#cancelRetry?.()
    this.#cancelRetry = null
    const refused = [...this.#running.values(), ...this.#locked.splice(0)]
    this.#running.clear()
    for (const { reject } of refused) reject(new StoreUnavailableError(reason))
  }
}

const lockedError = () =>
  new StoreUnavailableError(`another process has kept the database locked for ${BUSY_TIMEOUT_MS} ms`)

/** A Kysely dialect for a SQLite file that runs one statement at a time, each in its own database transaction. */
export function sqliteFileDialect(options: SqliteFileOptions): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => driverOf(new SqliteFile(options)),
  }
}

function driverOf(file: SqliteFile): Driver {
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const { rows, changes } = await file.run(sql, parameters)
      return { rows: rows as R[], ...(changes === null ? {} : { numAffectedRows: BigInt(changes) }) }
    },
    streamQuery: () => {
      throw new TypeError('the store reads whole results')
    },
  }
  const noTransaction = async () => {
    throw new TypeError('statements of one connection would mix: the store writes each step as one statement')
  }
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: noTransaction,
    commitTransaction: noTransaction,
    rollbackTransaction: noTransaction,
    destroy: () => file.close(),
  }
}
