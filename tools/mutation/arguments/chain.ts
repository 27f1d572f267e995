import type { Argument } from './argument.ts'

const SIMULATE = 'chain/simulate.ts'
const WORDS = 'chain/words.ts'

/** How replies of the chain are read, and the errors that come of it. */
export const chain: readonly Argument[] = [
  {
    kind: 'same',
    why: 'A batch has as many replies as calls, and a simulated block as many outcomes: a node that breaks the protocol otherwise than by nonsense throughout, the specification does not know.',
    mutants: [
      { file: SIMULATE, line: 'if (reply === undefined)', replacement: 'false' },
      { file: SIMULATE, line: 'if (!Array.isArray(outcomes)', original: 'outcomes.length !== count' },
      { file: SIMULATE, line: 'const data = outcome?.returnData' },
      { file: SIMULATE, line: 'const isHex = ' },
      { file: SIMULATE, line: "return { ok: outcome?.status === '0x1'", original: 'outcome?.status' },
      { file: SIMULATE, line: "return { ok: outcome?.status === '0x1'", original: "'0x'" },
      { file: SIMULATE, line: "if (reply?.ok && typeof reply.result === 'string'" },
      { file: SIMULATE, line: 'const [block] = Array.isArray', original: '[]' },
    ],
  },
  {
    kind: 'same',
    why: 'Of a transfer what counts is what arrived; a token that says no and moves nothing is found out by the balances.',
    mutants: [
      { file: WORDS, line: "return data === '0x' ||", replacement: 'true' },
      { file: WORDS, line: "return data === '0x' ||", original: '2 + WORD' },
      { file: WORDS, line: "return data === '0x' ||", original: 'data.slice(0, 2 + WORD)' },
      {
        file: WORDS,
        line: "return data === '0x' ||",
        replacement: 'data.length >= 2 + WORD || BigInt(data.slice(0, 2 + WORD)) === 1n',
      },
    ],
  },
  {
    kind: 'same',
    why: 'Errors have names for the log, and words: §7 fixes the words of 422 and 502 of a build alone.',
    mutants: [
      { file: 'errors.ts', line: 'override readonly name =' },
      { file: 'errors.ts', line: 'is already attributed elsewhere`' },
      { file: 'errors.ts', line: "super('the request budget of this partner is exceeded'" },
      { file: 'errors.ts', line: 'super(`the chain cannot be read:' },
      { file: 'errors.ts', line: 'super(`the store cannot be used:' },
    ],
  },
  {
    kind: 'same',
    why: 'A failed simulation is upstream failure at once, or after the other venues failed as well.',
    mutants: [
      { file: 'build/choose.ts', line: 'if (!(error instanceof ChainUnavailableError)) throw error' },
    ],
  },
  {
    kind: 'same',
    why: 'Whether the service can serve: for `/healthz`, which §4 does not know.',
    mutants: [
      { file: 'health.ts', line: 'export function createHealth(' },
      { file: 'health.ts', line: 'return {' },
    ],
  },
  {
    kind: 'same',
    why: 'The line to the chain keeps the time that it is given by itself, and answers a question that it gave up with the same error.',
    mutants: [
      { file: 'chain/deadline.ts', line: 'const cancel = clock.after', replacement: '() => undefined' },
    ],
  },
  {
    kind: 'missed',
    why: 'A budget that binds although every step keeps its own time: only when many venues answer the quote and then are silent when they are simulated, which the line of the world cannot do to one question of two. And a store that hangs; that of the world fails at once.',
    mutants: [
      { file: 'chain/deadline.ts', line: 'return { atMost: (timeoutMs)' },
      { file: 'chain/deadline.ts', line: 'const endsAtMs = clock.nowMs()' },
      { file: 'build/builder.ts', line: '() => new StoreUnavailableError(' },
    ],
  },
]
