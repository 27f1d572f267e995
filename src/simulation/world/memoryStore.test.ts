import { afterEach, beforeEach, expect, it } from 'vitest'
import { attributionOf, buildOf, keyRecord, NOW_MS } from '../../service/store/testing/records.ts'
import { type Store, StoreUnavailableError } from '../../service/testing.ts'
import { type MemoryStore, openMemoryStore } from './memoryStore.ts'

let memory: MemoryStore
beforeEach(async () => {
  memory = await openMemoryStore()
})
afterEach(() => memory.close())

/** Inserts a row into every table. */
async function fill(store: Store): Promise<void> {
  const key = keyRecord('one')
  const build = buildOf(key, 'build')
  await store.insertKey(key)
  await store.insertBuild(build)
  await store.recordAttribution(attributionOf(build, 'swap'))
  await store.spendBudget({ partnerId: key.partnerId, nowMs: NOW_MS, windowMs: 60_000 })
}

it('is empty when renewed, in every table, and takes the same records again', async () => {
  const fresh = memory.dump()
  const first = memory.renew()
  await fill(first)
  const filled = memory.dump()
  for (const [table, rows] of Object.entries(filled)) expect([table, rows.length]).toEqual([table, 1])
  const second = memory.renew()
  expect(memory.dump()).toEqual(fresh)
  await fill(second)
  expect(memory.dump()).toEqual(filled)
})

it('holds its records together by their references after it was renewed', async () => {
  const store = memory.renew()
  await expect(store.insertBuild(buildOf(keyRecord('nobody'), 'build'))).rejects.toThrow()
})

it('rejects writes for an earlier run', async () => {
  const first = memory.renew()
  const second = memory.renew()
  await expect(first.insertKey(keyRecord('late'))).rejects.toBeInstanceOf(StoreUnavailableError)
  expect(await second.listKeys()).toEqual([])
  await second.close()
  await expect(second.ping()).rejects.toBeInstanceOf(StoreUnavailableError)
})

it('has what it was filled with after each renewal, and nothing else', async () => {
  const filled = await openMemoryStore((store) => store.insertKey(keyRecord('first')))
  const first = filled.renew()
  await first.revokeKey(keyRecord('first').keyId, NOW_MS)
  await fill(first)
  expect(await filled.renew().listKeys()).toEqual([keyRecord('first')])
  await filled.close()
})
