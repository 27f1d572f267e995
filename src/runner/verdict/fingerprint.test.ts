import { expect, it } from 'vitest'
import { cutText } from '../../spec/cutText.ts'
import { KEPT } from '../../targets/evidence/kept.ts'
import { fingerprintOf } from './fingerprint.ts'

const failure = { caseId: 'build.tx', requirement: 'tx.data', expected: 'calldata', actual: 'null' }
const seeing = (actual: string) => fingerprintOf({ ...failure, actual })

it('stays the same where only identifiers, hashes, times, ports and fractions differ', () => {
  const first =
    'build 7f7d3f3c-1f0a-4c5e-9a53-0d9f4e4c2b11 of 0x00112233445566778899 at 2026-01-02T03:04:05Z, 127.0.0.1:4000, 1.25'
  const second =
    'build 00000000-0000-4000-8000-000000000001 of 0xffeeddccbbaa99887766 at 2027-11-12T13:14:15.5Z, 127.0.0.1:9, 0.75'
  expect(seeing(first)).toBe(seeing(second))
})

it.each([
  ['case', { caseId: 'build.other' }],
  ['requirement', { requirement: 'tx.value' }],
  ['expectation', { expected: 'bytes' }],
  ['actual value', { actual: 'undefined' }],
])('differs with the %s', (_what, change) => {
  expect(fingerprintOf({ ...failure, ...change })).not.toBe(fingerprintOf(failure))
})

it('of a text that was cut uses its beginning alone: the place of the cut depends on volatile values', () => {
  const text = (id: string) =>
    cutText(`["${id}",${'1,'.repeat(KEPT.textCharacters)}`, KEPT.textCharacters, id)
  expect(seeing(text(`0x${'1'.repeat(64)}`))).toBe(seeing(text(`0x${'2'.repeat(40)}`)))
  expect(seeing(text('a'))).not.toBe(seeing(text('b')))
})
