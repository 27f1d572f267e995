import { describe, expect, it } from 'vitest'
import {
  BUILD_ID,
  bodyWith,
  CONFIRM_PATH,
  expectRefused,
  GOOD_REPORT,
  HASH,
  LONG,
  NOT_TEXT,
  USER,
  useService,
} from './testing/badInput.ts'

const { post } = useService()

describe('confirm refuses', () => {
  const confirm = (payload: string) => post(CONFIRM_PATH, payload)

  it('nothing when both fields are good, in either case', async () => {
    expect((await confirm(JSON.stringify(GOOD_REPORT))).status).toBe(200)
    const upper = { buildId: 'ABCDEF00-2222-4333-8444-555555555555', txHash: `0x${'AB'.repeat(32)}` }
    expect((await confirm(JSON.stringify(upper))).status).toBe(200)
  })

  const BAD_IDS = [
    '',
    'x',
    BUILD_ID.slice(0, -1),
    `${BUILD_ID}5`,
    BUILD_ID.replaceAll('-', ''),
    `{${BUILD_ID}}`,
    ` ${BUILD_ID}`,
    `${BUILD_ID}\n`,
    `urn:uuid:${BUILD_ID}`,
    `g${BUILD_ID.slice(1)}`,
    "' OR 1=1 --",
    LONG,
  ]
  const BAD_HASHES = [
    '',
    '0x',
    HASH.slice(0, -1),
    `${HASH}0`,
    HASH.slice(2),
    `0X${HASH.slice(2)}`,
    `${HASH}\n`,
    `0x${'zz'.repeat(32)}`,
    USER,
    LONG,
  ]
  it.each([
    ...[...NOT_TEXT, ...BAD_IDS.map((value) => JSON.stringify(value))].map(
      (value) => ['buildId', value] as const,
    ),
    ...[...NOT_TEXT, ...BAD_HASHES.map((value) => JSON.stringify(value))].map(
      (value) => ['txHash', value] as const,
    ),
  ])('%s = %s', async (field, value) => {
    expectRefused(await confirm(bodyWith(GOOD_REPORT, field, value)), field)
  })

  it.each(['buildId', 'txHash'])('a missing %s', async (field) => {
    expectRefused(await confirm(bodyWith(GOOD_REPORT, field, undefined)), field)
  })

  it('no unknown field', async () => {
    expect((await confirm(JSON.stringify({ ...GOOD_REPORT, chainId: 1 }))).status).toBe(200)
  })
})
