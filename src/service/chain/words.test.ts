import { expect, test } from 'vitest'
import { amountTemplate, readFeedAnswer, readTransferAnswer, readUint } from './words.ts'

const ONE = '1'.padStart(64, '0')
const ZERO = '0'.repeat(64)
const MINUS = 'f'.repeat(64)

test('readUint takes one word and nothing else', () => {
  expect(readUint(`0x${ONE}`)).toBe(1n)
  expect(readUint(`0x${MINUS}`)).toBe(2n ** 256n - 1n)
  for (const data of ['0x', '0x2a', `0x${ONE}${ONE}`]) expect(readUint(data)).toBe(null)
})

test('readFeedAnswer takes a positive price out of five words', () => {
  const round = (answer: string) => `0x${ZERO}${answer}${ZERO}${ZERO}${ZERO}`
  expect(readFeedAnswer(round(ONE))).toBe(1n)
  for (const data of [round(ZERO), round(MINUS), `0x${ONE}`, '0x']) expect(readFeedAnswer(data)).toBe(null)
})

test('readTransferAnswer: true, or silence', () => {
  expect(['0x', `0x${ONE}`].map(readTransferAnswer)).toEqual([true, true])
  expect([`0x${ZERO}`, '0x01', `0x${MINUS}`].map(readTransferAnswer)).toEqual([false, false, false])
})

test('amountTemplate puts the amount into the third word', () => {
  const fill = amountTemplate(`0x11223344${ONE}${ONE}${MINUS}${ONE}`)
  expect(fill(0n)).toBe(`0x11223344${ONE}${ONE}${ZERO}${ONE}`)
  expect(fill(1n)).toBe(`0x11223344${ONE}${ONE}${ONE}${ONE}`)
})
