import { createHash } from 'node:crypto'
import type { Attribution, Build, KeyRecord } from '../../records.ts'

/** Creates records for tests. Each label gives different identifiers, so that tests can share one database. */

const hex = (text: string) => createHash('sha256').update(text).digest('hex')
const uuid = (text: string) => hex(text).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')

export const NOW_MS = 1_700_000_000_000

export function keyRecord(label: string, overrides: Partial<KeyRecord> = {}): KeyRecord {
  return {
    keyId: uuid(`key ${label}`),
    partnerId: `partner-${label}`,
    kind: 'individual',
    secretSha256: hex(`secret ${label}`),
    createdAtMs: NOW_MS,
    revokedAtMs: null,
    ...overrides,
  }
}

export function buildOf(key: KeyRecord, label: string, overrides: Partial<Build> = {}): Build {
  return {
    buildId: uuid(`build ${key.keyId} ${label}`),
    keyId: key.keyId,
    partnerId: key.partnerId,
    venue: 'venue_a',
    chainId: 4663,
    sender: `0x${'a1'.repeat(20)}`,
    target: `0x${'b2'.repeat(20)}`,
    calldata: `0xdeadbeef${'00ff'.repeat(16)}`,
    valueRaw: 0n,
    createdAtMs: NOW_MS,
    validUntilMs: NOW_MS + 1_200_000,
    tokenIn: 'WETH',
    tokenOut: 'USDG',
    amountInRaw: 10n ** 18n,
    minimumOutRaw: 2_400_000_000n,
    notionalUsdMicros: 2_500_000_000n,
    ...overrides,
  }
}

export function attributionOf(
  build: Build,
  transaction: string,
  overrides: Partial<Attribution> = {},
): Attribution {
  return {
    buildId: build.buildId,
    keyId: build.keyId,
    txHash: `0x${hex(`transaction ${transaction}`)}`,
    blockNumber: 1_234n,
    blockHash: `0x${hex('block 1234')}`,
    blockTimestampS: NOW_MS / 1000 + 5,
    confirmedAtMs: NOW_MS + 20_000,
    ...overrides,
  }
}
