import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bundled } from '../../host/testing/evaluated.ts'
import type { Store } from '../ports.ts'
import type { Build, KeyRecord } from '../records.ts'
import { StoreSchemaError } from './migrations.ts'
import { openStore } from './openStore.ts'
import { execute } from './testing/databases.ts'
import { onSharedDatabases } from './testing/eachDatabase.ts'
import { type StoreProcess, startStoreProcess } from './testing/process.ts'
import { attributionOf, buildOf, keyRecord } from './testing/records.ts'

const PROGRAM = await bundled(new URL('./testing/worker.ts', import.meta.url))

// Requirements on a database that several processes have open.
onSharedDatabases((createDatabase) => {
  describe('shared', () => {
    let url: string
    let key: KeyRecord
    const stores: Store[] = []
    const processes: StoreProcess[] = []

    async function opened() {
      const store = await openStore({ url })
      stores.push(store)
      return store
    }
    async function started() {
      const process = await startStoreProcess(PROGRAM, url)
      processes.push(process)
      return process
    }

    beforeEach(async () => {
      url = await createDatabase()
      key = keyRecord('shared')
    })
    afterEach(async () => {
      await Promise.all(processes.splice(0).map((process) => process.kill()))
      await Promise.all(stores.splice(0).map((store) => store.close()))
    })

    it('says what to do about tables that a newer version made', async () => {
      const url = await createDatabase()
      await (await openStore({ url })).close()
      await execute(url, "insert into kysely_migration values ('9999_later', '2030-01-01')")
      const error = await openStore({ url }).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(StoreSchemaError)
      expect(error).toMatchObject({
        kind: 'usage',
        unknownMigrations: ['9999_later'],
        message: expect.stringContaining('newer than this version'),
        advice: expect.stringContaining('Run the version that made them'),
      })
    })

    it('says what to do about a database that something else uses', async () => {
      const url = await createDatabase()
      await execute(url, 'create table builds (id integer)')
      const error = await openStore({ url }).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(StoreSchemaError)
      expect(error).toMatchObject({ message: expect.stringContaining('builds'), unknownMigrations: [] })
    })

    it('keeps what it holds when it is opened again', async () => {
      const first = await opened()
      await first.insertKey(key)
      await first.close()
      expect(await (await opened()).listKeys()).toEqual([key])
    })

    it('is made once by processes that start at the same moment, credits once whichever reports first, and loses nothing that a killed one had answered', async () => {
      const [left, right] = await Promise.all([started(), started()])
      const store = await opened()
      await store.insertKey(key)
      for (let round = 0; round < 20; round++) {
        const [one, two, three, rival] = ['one', 'two', 'three', 'rival'].map((name) =>
          buildOf(key, `${name}-${round}`),
        ) as [Build, Build, Build, Build]
        for (const build of [one, two, three, rival]) await store.insertBuild(build)

        const same = attributionOf(one, `same-${round}`)
        const twice = await Promise.all([left.record(same), right.record(same)])
        expect(twice.sort()).toEqual(['already-recorded', 'recorded'])

        const oneBuild = await Promise.all([
          left.record(attributionOf(two, `left-${round}`)),
          right.record(attributionOf(two, `right-${round}`)),
        ])
        expect(oneBuild.sort()).toEqual(['build-taken', 'recorded'])

        const oneTransaction = await Promise.all([
          left.record(attributionOf(three, `wanted-${round}`)),
          right.record(attributionOf(rival, `wanted-${round}`)),
        ])
        expect(oneTransaction.sort()).toEqual(['recorded', 'transaction-taken'])
      }
      expect(await store.metrics(key.keyId)).toMatchObject({ confirmedSwaps: 60 })

      const last = buildOf(key, 'killed')
      await store.insertBuild(last)
      const attribution = attributionOf(last, 'killed')
      expect(await right.record(attribution)).toBe('recorded')
      await right.kill()
      await store.close()
      expect(await (await opened()).findAttributionByBuild(last.buildId)).toEqual(attribution)
    })
  })
})
