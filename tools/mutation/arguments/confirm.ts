import type { Argument } from './argument.ts'

export const confirm: readonly Argument[] = [
  {
    kind: 'same',
    why: 'The body of 202, and the words of a refusal, are not shown (§2.5, §7).',
    mutants: [
      {
        file: 'confirm/confirmer.ts',
        line: "reason: 'transaction-not-found'",
        original: "'transaction-not-found'",
      },
      { file: 'confirm/confirmer.ts', line: "reason: 'pending', confirmations: 0", original: "'pending'" },
      {
        file: 'confirm/confirmer.ts',
        line: "reason: 'too-few-confirmations'",
        original: "'too-few-confirmations'",
      },
      { file: 'confirm/judge.ts', line: "reason: 'block-changed'", original: "'block-changed'" },
      {
        file: 'confirm/judge.ts',
        line: "reason: 'too-few-confirmations'",
        original: "'too-few-confirmations'",
      },
      { file: 'confirm/judge.ts', line: "return rejected('reverted'" },
      { file: 'confirm/judge.ts', line: "return rejected('sender-mismatch'" },
      { file: 'confirm/judge.ts', line: "return rejected('target-mismatch'" },
      { file: 'confirm/judge.ts', line: "return rejected('calldata-mismatch'" },
      { file: 'confirm/judge.ts', line: "return rejected('value-mismatch'" },
      { file: 'confirm/judge.ts', line: "return rejected('after-window'" },
      { file: 'confirm/judge.ts', line: "return rejected('before-window'" },
    ],
  },
  {
    kind: 'same',
    why: 'What is neither credited nor rejected is pending; nobody asks for its name.',
    mutants: [
      { file: 'confirm/confirmer.ts', line: "return { kind: 'pending', ...found }", original: "'pending'" },
      { file: 'confirm/judge.ts', line: "kind: 'pending', reason: 'block-changed'", original: "'pending'" },
      { file: 'confirm/judge.ts', line: "kind: 'pending', reason: 'too-few", original: "'pending'" },
    ],
  },
  {
    kind: 'same',
    why: 'The text inside an error that becomes 503.',
    mutants: [
      { file: 'confirm/evidence.ts', line: "read('the transaction'", original: "'the transaction'" },
      { file: 'confirm/evidence.ts', line: "read('the receipt'", original: "'the receipt'" },
      { file: 'confirm/evidence.ts', line: "read('the block'", original: "'the block'" },
      { file: 'confirm/evidence.ts', line: "read('the head'", original: "'the head'" },
      { file: 'confirm/evidence.ts', line: "read('the chain id'", original: "'the chain id'" },
      {
        file: 'confirm/evidence.ts',
        line: "throw nonsense('another transaction",
        original: "'another transaction than the one asked for'",
      },
      {
        file: 'confirm/evidence.ts',
        line: "throw nonsense('the receipt of another",
        original: "'the receipt of another transaction'",
      },
      {
        file: 'confirm/evidence.ts',
        line: "throw nonsense('another block",
        original: "'another block than the one asked for'",
      },
      { file: 'confirm/evidence.ts', line: 'throw nonsense(`nothing for', replacement: '``' },
      { file: 'confirm/evidence.ts', line: 'z.prettifyError(parsed.error)', replacement: '``' },
    ],
  },
  {
    kind: 'same',
    why: 'A transaction inside a block of this chain was signed for it, or for no chain in particular: no node takes another.',
    mutants: [
      { file: 'confirm/judge.ts', line: 'if (chainId !== null && chainId !== BigInt' },
      { file: 'confirm/judge.ts', line: "return rejected('chain-mismatch'" },
      { file: 'confirm/evidence.ts', line: 'chainId: quantity.nullish()' },
    ],
  },
  {
    kind: 'same',
    why: 'Encodings that other nodes use and this one does not: nothing at all for zero; heights beyond what a number holds.',
    mutants: [
      { file: 'confirm/evidence.ts', line: "text === '0x' ? 0n" },
      { file: 'confirm/evidence.ts', line: 'BigInt(Number.MAX_SAFE_INTEGER)' },
    ],
  },
  {
    kind: 'missed',
    why: 'A node that serves another chain than that of the build. The world has one chain, and its line can be spoiled in many ways, but not so that only the chain’s id is another.',
    mutants: [{ file: 'confirm/confirmer.ts', line: 'if (chainId !== BigInt(build.chainId))' }],
  },
]
