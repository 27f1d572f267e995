import { expect, test } from 'vitest'
import { cutText, shortenText } from './cutText.ts'

test.each([
  ['a text that fits', 'abcd', 'abcd'],
  ['one that does not', 'abcde', 'abcd… (cut: all of it)'],
  ['a character of two halves', 'abc😀', 'abc… (cut: all of it)'],
  ['one that says itself that it was cut', 'abcde… (cut: 1 byte)', 'abcd… (cut: all of it)'],
])('%s is cut', (_what, text, cut) => {
  expect(cutText(text, 4, 'all of it')).toBe(cut)
})

test.each([
  ['a text that fits', 'abcd', 'abcd'],
  ['one that does not', 'abcde', 'abcd… (cut: 5 characters in all)'],
  ['one that was cut', 'abcde… (cut: 9 bytes in all)', 'abcd… (cut: 9 bytes in all)'],
  ['one that was cut, and fits', 'abcd… (cut: 9 bytes in all)', 'abcd… (cut: 9 bytes in all)'],
])('%s is shortened', (_what, text, shortened) => {
  expect(shortenText(text, 4)).toBe(shortened)
})
