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
    kind: 'same',
    why: 'How long `Retry-After` asks to wait is left to the service (§4.3): a whole number of seconds it stays.',
    mutants: [
      { file: 'confirm/retryAfter.ts', line: 'const seconds = Math.ceil' },
      { file: 'confirm/retryAfter.ts', line: 'return Math.min(Math.max' },
      { file: 'confirm/confirmer.ts', line: 'const missing = policy.confirmations' },
    ],
  },
  {
    kind: 'same',
    why: 'What a repeated report is told beside its 200 is not shown; and where the second read finds nothing, the record itself finds out that it was made before.',
    mutants: [
      { file: 'confirm/confirmer.ts', line: 'if (await isRecorded(build, txHash)) return', original: 'true' },
      {
        file: 'confirm/confirmer.ts',
        line: 'if (ofTransaction.buildId === build.buildId)',
        original: 'true',
      },
    ],
  },
  {
    kind: 'same',
    why: 'The first read only saves the look at the chain: that a report was recorded before is found again after it, and by the record itself.',
    mutants: [
      {
        file: 'confirm/confirmer.ts',
        line: 'if (await isRecorded(build, txHash)) return',
        replacement: 'false',
      },
    ],
  },
  {
    kind: 'same',
    why: 'Only a node that breaks its protocol writes a number with something before or behind it; how strictly that is found out, no clause says.',
    mutants: [
      { file: 'confirm/evidence.ts', line: '.regex(/^0x[0-9a-fA-F]{0,64}$/)' },
      { file: 'confirm/evidence.ts', line: '.regex(/^0x[0-9a-fA-F]{1,64}$/)' },
    ],
  },
  {
    kind: 'same',
    why: 'A shortcut that saves round trips: the second look gives the same verdict.',
    mutants: [
      {
        file: 'confirm/confirmer.ts',
        line: "if (verdict.kind !== 'credited') return verdict",
        replacement: 'false',
      },
      {
        file: 'confirm/confirmer.ts',
        line: 'if (confirmations < policy.confirmations)',
        replacement: 'false',
      },
      { file: 'confirm/confirmer.ts', line: 'if (transaction === null)', replacement: 'false' },
    ],
  },
  {
    kind: 'same',
    why: 'A verdict that credits nothing carries a receipt that nobody reads.',
    mutants: [
      { file: 'confirm/confirmer.ts', line: "return settled.kind === 'credited'", replacement: 'true' },
    ],
  },
  {
    kind: 'same',
    why: 'The legacy key made no build, so that looking for one finds none.',
    mutants: [{ file: 'confirm/confirmer.ts', line: "const build = caller.kind === 'legacy'" }],
  },
  {
    kind: 'same',
    why: 'The block that the receipt named is compared with the canonical one once more in `judge`; a receipt that moved lies in another block.',
    mutants: [
      { file: 'confirm/confirmer.ts', line: 'block: receipt?.blockHash === blockHash', replacement: 'true' },
      {
        file: 'confirm/judge.ts',
        line: 'if (block === null ||',
        original: 'block.hash !== receipt.blockHash',
        replacement: 'false',
      },
    ],
  },
  {
    kind: 'same',
    why: 'Of a block only its header is read, with or without its transactions.',
    mutants: [
      { file: 'confirm/confirmer.ts', line: 'params: [numberToHex(blockNumber), false]', original: 'false' },
    ],
  },
  {
    kind: 'same',
    why: 'A batch has as many replies as calls, and a reply that is an error has no result: what reads it next refuses it as nonsense, with the same 503.',
    mutants: [
      { file: 'confirm/evidence.ts', line: 'if (reply === undefined)', replacement: 'false' },
      { file: 'confirm/evidence.ts', line: 'if (!reply.ok)', replacement: 'false' },
    ],
  },
  {
    kind: 'same',
    why: 'The lower end of the window is not shown; the reference takes the second of the build.',
    mutants: [
      {
        file: 'confirm/judge.ts',
        line: 'if (timestampS < Math.floor',
        replacement: 'timestampS <= Math.floor(build.createdAtMs / 1000)',
      },
    ],
  },
  {
    kind: 'same',
    why: 'An `undefined` header is no key either: it has not the form of one.',
    mutants: [
      { file: 'partners/partners.ts', line: 'if (authorization === undefined)', replacement: 'false' },
    ],
  },
  {
    kind: 'missed',
    why: 'A node that answers another question than it was asked. The line of the world can repeat an answer, but only one of another length; it cannot make one up.',
    mutants: [
      {
        file: 'confirm/evidence.ts',
        line: 'if (facts !== null && facts.hash !== txHash)',
        replacement: 'false',
      },
      { file: 'confirm/evidence.ts', line: 'if (facts.transactionHash !== txHash)', replacement: 'false' },
      { file: 'confirm/evidence.ts', line: 'if (facts.number !== blockNumber)', replacement: 'false' },
    ],
  },
  {
    kind: 'missed',
    why: 'A node that serves another chain than that of the build. The world has one chain, and its line can be spoiled in many ways, but not so that only the chain’s id is another.',
    mutants: [{ file: 'confirm/confirmer.ts', line: 'if (chainId !== BigInt(build.chainId))' }],
  },
]
