import { copyFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../spec/errors.ts'
import { StoreUnavailableError } from '../errors.ts'
import { openStore, StoreUrlError } from './openStore.ts'
import { fileDatabases } from './testing/databases.ts'
import { useDatabases } from './testing/eachDatabase.ts'

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

describe('the URL of a store', () => {
  it('names one of the known databases', async () => {
    for (const url of ['', 'file:', 'memory', 'mysql://user:password@host/db']) {
      const refusal = openStore({ url })
      await expect(refusal).rejects.toBeInstanceOf(StoreUrlError)
      await expect(refusal).rejects.not.toThrow('password@')
    }
  })
})
