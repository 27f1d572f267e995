import { expect, test } from 'vitest'
import { describeUnanswered } from './unanswered.ts'

test.each([
  [1_612, 8, '8 of 1,612 requests got no response (0.5 %); the others did.'],
  [40, 1, '1 of 40 requests got no response (3 %); the others did.'],
  [40, 0, null],
  [3, 3, null],
])('of %i requests %i without a response are said with their rate', (sent, unanswered, said) => {
  expect(describeUnanswered({ requests: { sent, unanswered } })).toBe(said)
})
