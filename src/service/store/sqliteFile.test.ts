import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Kysely, sql } from 'kysely'
import Database from 'libsql'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { VirtualClock } from '../../simulation/world/clock.ts'
import { StoreUnavailableError } from '../errors.ts'
import type { Store } from '../ports.ts'
import { systemClock } from '../system/clock.ts'
import { openStore } from './openStore.ts'
import { sqliteFileDialect } from './sqliteFile.ts'
import { fileDatabases } from './testing/databases.ts'
import { useDatabases } from './testing/eachDatabase.ts'
import { buildOf, keyRecord, NOW_MS } from './testing/records.ts'

/** Longer than a statement waits for a lock. */
const LONG_MS = 60_000
const HOLD_MS = 300

const databases = useDatabases(fileDatabases)
let clock: VirtualClock
let store: Store
/** A second connection to the same file. */
let other: Database.Database
const key = keyRecord('locked')

beforeEach(async () => {
  const url = await databases.current.create()
  clock = new VirtualClock(NOW_MS)
  store = await openStore({ url, clock })
  await store.insertKey(key)
  other = new Database(url.slice('file:'.length))
})
afterEach(async () => {
  other.close()
  await store.close()
})

it('reads while another process holds the write lock, and writes once it is released', async () => {
  const builds = Array.from({ length: 20 }, (_, index) => buildOf(key, `waits-${index}`))
  other.exec('begin immediate')
  const saved = Promise.all(builds.map((build) => store.insertBuild(build)))
  // Statements run in the order of the calls: all inserts have found the file locked before this read returns.
  expect(await store.findKeyByHash(key.secretSha256)).toEqual(key)
  other.exec('commit')
  clock.advanceBy(1_000)
  await saved
  for (const build of builds) expect(await store.findBuild(build.buildId, key.keyId)).toEqual(build)
})

it('has committed what it answered, also while a statement waits to be tried again', async () => {
  other.exec('begin immediate')
  const saved = store.insertBuild(buildOf(key, 'waits'))
  await store.ping()
  other.exec('commit')
  const second = keyRecord('answered meanwhile')
  await store.insertKey(second)
  const seen = other.prepare('select key_id from partner_keys').all() as { readonly key_id: string }[]
  expect(seen.map((row) => row.key_id)).toContain(second.keyId)
  clock.advanceBy(1_000)
  await saved
})

it('refuses a write when the lock is held too long, and only the write', async () => {
  other.exec('begin immediate')
  const refused = [1, 2, 3].map((index) =>
    expect(store.insertBuild(buildOf(key, `late-${index}`))).rejects.toBeInstanceOf(StoreUnavailableError),
  )
  await store.ping()
  clock.advanceBy(LONG_MS)
  await Promise.all(refused)
  expect(await store.listKeys()).toEqual([key])
  other.exec('commit')
  const build = buildOf(key, 'after')
  await store.insertBuild(build)
  expect(await store.findBuild(build.buildId, key.keyId)).toEqual(build)
})

it('refuses each write after its own time', async () => {
  other.exec('begin immediate')
  const early = expect(store.insertBuild(buildOf(key, 'early'))).rejects.toBeInstanceOf(StoreUnavailableError)
  await store.ping()
  clock.advanceBy(LONG_MS)
  const build = buildOf(key, 'late')
  const late = store.insertBuild(build)
  await early
  await store.ping()
  other.exec('commit')
  clock.advanceBy(1_000)
  await late
  expect(await store.findBuild(build.buildId, key.keyId)).toEqual(build)
})

it('refuses what waits for a lock when it is closed', async () => {
  other.exec('begin immediate')
  const refused = expect(store.insertBuild(buildOf(key, 'closed'))).rejects.toBeInstanceOf(
    StoreUnavailableError,
  )
  await store.ping()
  await store.close()
  await refused
  other.exec('commit')
})

it('waits for the lock when it opens the file', async () => {
  const path = (await databases.current.create()).slice('file:'.length)
  const holder = new Database(path)
  holder.exec('begin exclusive')
  const dialect = sqliteFileDialect({ path, pragmas: 'pragma synchronous = full', clock })
  const database = new Kysely<unknown>({ dialect })
  const read = sql`select 1 as one`.execute(database)
  // Long enough for the thread to find the file locked; it reads as soon as the lock is released.
  await new Promise<void>((resolve) => systemClock.after(HOLD_MS, resolve))
  holder.exec('commit')
  expect((await read).rows).toEqual([{ one: 1 }])
  await database.destroy()
  holder.close()
})

/** Holds the write lock of a file until it receives a message, while the thread of the tests is blocked. */
const HOLDER = `
  const { parentPort, workerData } = require('node:worker_threads')
  const database = new (require('libsql'))(workerData, { timeout: ${LONG_MS} })
  database.exec('begin immediate')
  parentPort.postMessage('locked')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${HOLD_MS})
  database.exec('commit')
  database.close()
`

it('waits for another process that prepares the same new file', async () => {
  const url = await databases.current.create()
  const holder = new Worker(HOLDER, { eval: true, workerData: url.slice('file:'.length) })
  const ended = once(holder, 'exit')
  await once(holder, 'message')
  const opened = await openStore({ url })
  await opened.insertKey(key)
  expect(await opened.listKeys()).toEqual([key])
  await opened.close()
  await ended
})
