import { copyFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../spec/errors.ts'
import { StoreUnavailableError } from '../errors.ts'
import { openStore, StoreUrlError } from './openStore.ts'
import { execute, fileDatabases, sharedPostgresServer } from './testing/databases.ts'
import { useDatabases } from './testing/eachDatabase.ts'
import { keyRecord } from './testing/records.ts'

describe('the store in a file', () => {
  const databases = useDatabases(fileDatabases)

  it('cannot be used when the file cannot be opened or is no database', async () => {
    const url = await databases.current.create()
    const missing = openStore({ url: `${url}/no/such/file` })
    await expect(missing).rejects.toThrow('a folder that does not exist')
    await expect(missing).rejects.toBeInstanceOf(UsageError)
    await expect(openStore({ url: `file:${tmpdir()}` })).rejects.toBeInstanceOf(StoreUnavailableError)
    await writeFile(url.slice('file:'.length), 'This is no database. '.repeat(100))
    await expect(openStore({ url })).rejects.toBeInstanceOf(StoreUnavailableError)
  })
})

describe('the readiness of the store in a file', () => {
  const databases = useDatabases(fileDatabases)

  it.each<readonly [string, (path: string) => void]>([
    ['that was removed', (path) => rmSync(path)],
    [
      'that was replaced',
      (path) => {
        renameSync(path, `${path}.former`)
        copyFileSync(`${path}.former`, path)
      },
    ],
    [
      'that was overwritten',
      (path) => {
        rmSync(`${path}-wal`)
        writeFileSync(path, Buffer.alloc(statSync(path).size, 'This is no database. '))
      },
    ],
  ])('sees a file %s', async (_what, spoil) => {
    const url = await databases.current.create()
    const store = await openStore({ url })
    await store.ping({ writes: true })
    spoil(url.slice('file:'.length))
    await expect(store.ping({ writes: true })).rejects.toBeInstanceOf(StoreUnavailableError)
    await store.close().catch(() => {})
  })
})

describe('the readiness of the store on PostgreSQL', () => {
  const server = useDatabases(sharedPostgresServer)

  it('sees a database that can be read and not written', async () => {
    const url = await server.current.create()
    const store = await openStore({ url })
    await store.ping({ writes: true })
    await execute(
      url,
      `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`,
    )
    await server.current.terminateConnections(url)
    for (let lost = 0; lost < 3; lost += 1) await store.ping().catch(() => undefined)
    await store.ping()
    await expect(store.ping({ writes: true })).rejects.toBeInstanceOf(StoreUnavailableError)
    await store.close()
  })
})

describe('the store on PostgreSQL', () => {
  const server = useDatabases(sharedPostgresServer)

  it('cannot be used while the server is away, and can again when it is back', async () => {
    const url = await server.current.create()
    const store = await openStore({ url })
    await store.insertKey(keyRecord('away'))
    await server.current.stop()
    await expect(store.ping()).rejects.toBeInstanceOf(StoreUnavailableError)
    await expect(store.listKeys()).rejects.toBeInstanceOf(StoreUnavailableError)
    await expect(openStore({ url })).rejects.toBeInstanceOf(StoreUnavailableError)
    await server.current.start()
    expect(await store.listKeys()).toEqual([keyRecord('away')])
    await store.close()
  })

  it('cannot be used with another login or database', async () => {
    const url = await server.current.create()
    const refused = [`${url}_missing`, url.replace(/:\w+@/, ':wrong@')]
    for (const other of refused) {
      await expect(openStore({ url: other })).rejects.toBeInstanceOf(StoreUnavailableError)
    }
  })
})

describe('the URL of a store', () => {
  it('names one of the known databases', async () => {
    for (const url of ['', 'file:', 'memory', 'mysql://user:password@host/db']) {
      const refusal = openStore({ url })
      await expect(refusal).rejects.toBeInstanceOf(StoreUrlError)
      await expect(refusal).rejects.not.toThrow('password@')
    }
  })
})
