import { expect, it } from 'vitest'
import type { KeyRecord } from '../../service/records.ts'
import { nextCommand } from './nextCommand.ts'

const key = (revokedAtMs: number | null): KeyRecord => ({
  keyId: 'key',
  partnerId: 'acme',
  kind: 'individual',
  secretSha256: '',
  createdAtMs: 0,
  revokedAtMs,
})
const holding = (...keys: readonly KeyRecord[]) => ({ listKeys: async () => keys })
const DATABASE = 'file:my partners.db'

it('issues a key where none is active, and lists them where some are', async () => {
  expect(await nextCommand(holding(key(1)), DATABASE)).toBe(
    `no key is issued yet; next: npx plumbline keys issue --partner NAME --database '${DATABASE}'`,
  )
  expect(await nextCommand(holding(key(null)), DATABASE)).toBe(
    `1 active key; see it with: npx plumbline keys list --database '${DATABASE}'`,
  )
  expect(await nextCommand(holding(key(null), key(null)), 'file:a.db')).toBe(
    '2 active keys; see them with: npx plumbline keys list --database file:a.db',
  )
})

it('prints no password of the database', async () => {
  expect(await nextCommand(holding(), 'postgres://user:secret@localhost/swaps')).toMatch(
    /--database "\$DATABASE_URL"$/,
  )
})

it('is null for a store in memory, and while the database cannot be read', async () => {
  expect(await nextCommand(holding(), ':memory:')).toBeNull()
  const away = { listKeys: () => Promise.reject(new Error('the database system is in recovery mode')) }
  expect(await nextCommand(away, DATABASE)).toBeNull()
})
