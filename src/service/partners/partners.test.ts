import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { InvalidRequestError, StoreUnavailableError, UnauthorizedError } from '../errors.ts'
import type { Clock, Store } from '../ports.ts'
import { openStore } from '../store/openStore.ts'
import { NOW_MS } from '../store/testing/records.ts'
import { createPartners, type Partners } from './partners.ts'
import { hashSecret } from './secret.ts'

let nowMs = NOW_MS
const clock: Clock = { nowMs: () => nowMs, monotonicMs: () => nowMs, after: () => () => {} }
let store: Store
let partners: Partners

beforeEach(async () => {
  nowMs = NOW_MS
  let drawn = 0
  const ids = {
    uuid: () => `00000000-0000-4000-8000-${String(++drawn).padStart(12, '0')}`,
    secret: () => String(++drawn).padStart(64, 'a'),
  }
  store = await openStore({ url: ':memory:' })
  partners = createPartners({ store, clock, ids })
})
afterEach(() => store.close())

const acme = { partnerId: 'acme', kind: 'individual' } as const

describe('a key', () => {
  it('is shown once and stored as its SHA-256', async () => {
    const { key, record } = await partners.issueKey(acme)
    expect(key).toMatch(/^plk_live_[0-9a-f]{64}$/)
    expect(record).toMatchObject({
      partnerId: 'acme',
      kind: 'individual',
      createdAtMs: NOW_MS,
      revokedAtMs: null,
    })
    expect(record.secretSha256).toBe(hashSecret(key))
    expect(JSON.stringify(await partners.listKeys())).not.toContain(key.slice('plk_live_'.length))
  })

  it('is hashed as SHA-256 over its whole text', () => {
    // The published test vector of FIPS 180-2 for "abc".
    expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  it('authenticates until it is revoked', async () => {
    const { key, record } = await partners.issueKey(acme)
    const other = await partners.issueKey(acme)
    expect(await partners.authenticate(`Bearer ${key}`)).toEqual(record)
    nowMs += 5_000
    expect(await partners.revokeKey(record.keyId)).toBe(true)
    expect(await partners.revokeKey(record.keyId)).toBe(false)
    await expect(partners.authenticate(`Bearer ${key}`)).rejects.toBeInstanceOf(UnauthorizedError)
    expect(await partners.authenticate(`Bearer ${other.key}`)).toEqual(other.record)
    expect(await partners.listKeys()).toContainEqual({ ...record, revokedAtMs: NOW_MS + 5_000 })
  })

  it.each(['bearer', 'BEARER', 'Bearer  '])('may follow the scheme written as "%s"', async (scheme) => {
    const { key, record } = await partners.issueKey(acme)
    expect(await partners.authenticate(`${scheme} ${key}`)).toEqual(record)
  })

  it.each([
    ['no header', () => undefined],
    ['an empty header', () => ''],
    ['the scheme alone', () => 'Bearer'],
    ['the scheme and a space', () => 'Bearer '],
    ['another scheme', (key: string) => `Basic ${key}`],
    ['no scheme', (key: string) => key],
    ['no space', (key: string) => `Bearer${key}`],
    ['a tab for the space', (key: string) => `Bearer\t${key}`],
    ['something behind it', (key: string) => `Bearer ${key} more`],
    ['two keys', (key: string) => `Bearer ${key}, Bearer ${key}`],
    ['quotes', (key: string) => `Bearer "${key}"`],
    ['a line behind it', (key: string) => `Bearer ${key}\n`],
    ['other case', (key: string) => `Bearer ${key.toUpperCase()}`],
    ['its SHA-256 in its place', (key: string) => `Bearer ${hashSecret(key)}`],
    ['an unknown key', () => `Bearer plk_live_${'0'.repeat(64)}`],
  ])('is refused with %s', async (_, header) => {
    const { key, record } = await partners.issueKey(acme)
    await expect(partners.authenticate(header(key))).rejects.toBeInstanceOf(UnauthorizedError)
    expect(await partners.authenticate(`Bearer ${key}`)).toEqual(record)
  })

  it('is no verdict on the key when the store is away', async () => {
    const { key } = await partners.issueKey(acme)
    await store.close()
    await expect(partners.authenticate(`Bearer ${key}`)).rejects.toBeInstanceOf(StoreUnavailableError)
  })

  it.each(['', ' ', 'a b', 'a'.repeat(65), 'acme\n'])(
    'is not issued to the partner "%s"',
    async (partnerId) => {
      await expect(partners.issueKey({ ...acme, partnerId })).rejects.toBeInstanceOf(InvalidRequestError)
      expect(await partners.listKeys()).toEqual([])
    },
  )
})
