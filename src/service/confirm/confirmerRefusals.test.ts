import { describe, expect, it } from 'vitest'
import { BuildNotFoundError, type RejectionReason } from '../errors.ts'
import type { KeyRecord } from '../records.ts'
import { foreigner, hex, key, useConfirmer } from './testing/useConfirmer.ts'

const { world, confirm, change, expectRejected } = useConfirmer()

describe('a transaction that is not the build (§4.3 rule 1)', () => {
  it.each<[string, RejectionReason, Record<string, unknown>]>([
    ['another chain', 'chain-mismatch', { chainId: '0x1' }],
    ['another sender', 'sender-mismatch', { from: `0x${'a2'.repeat(20)}` }],
    ['another target', 'target-mismatch', { to: `0x${'b3'.repeat(20)}` }],
    ['a contract creation', 'target-mismatch', { to: null }],
    ['one byte of calldata changed', 'calldata-mismatch', { input: `0xdeadbeee${'00ff'.repeat(16)}` }],
    ['one byte of calldata more', 'calldata-mismatch', { input: `0xdeadbeef${'00ff'.repeat(16)}00` }],
    ['one byte of calldata less', 'calldata-mismatch', { input: `0xdeadbeef${'00ff'.repeat(15)}00` }],
    ['no calldata', 'calldata-mismatch', { input: '0x' }],
    ['one wei more', 'value-mismatch', { value: hex(10n ** 18n + 1n) }],
    ['one wei less', 'value-mismatch', { value: hex(10n ** 18n - 1n) }],
    ['no value', 'value-mismatch', { value: '0x' }],
  ])('is refused: %s', async (_, reason, fields) => {
    change('transaction', fields)
    await expectRejected(reason)
  })
})

describe('a build that the caller cannot claim', () => {
  it.each<[string, () => { buildId?: string; caller?: KeyRecord }]>([
    ['an unknown build', () => ({ buildId: '00000000-0000-4000-8000-000000000000' })],
    ['the build of another key', () => ({ caller: foreigner })],
    ['any build, with the legacy shared key', () => ({ caller: { ...key, kind: 'legacy' } })],
  ])('is not found, without a look at the chain: %s', async (_, request) => {
    await expect(confirm(request())).rejects.toBeInstanceOf(BuildNotFoundError)
    expect(world.chain.trips).toEqual([])
  })
})
