import type { Argument } from './argument.ts'

export const quote: readonly Argument[] = [
  {
    kind: 'same',
    why: 'Why a venue was passed over is told to the log alone.',
    mutants: [
      { file: 'quote/ask.ts', line: "let refusal = 'reverted'", original: "'reverted'" },
      { file: 'quote/ask.ts', line: "refusal = 'answered nonsense'", original: "'answered nonsense'" },
      { file: 'quote/ask.ts', line: "readQuantity(gasPrice, 'eth_gasPrice')", original: "'eth_gasPrice'" },
      {
        file: 'quote/fanOut.ts',
        line: "refusal: 'gave no answer in time'",
        original: "'gave no answer in time'",
      },
      { file: 'quote/fanOut.ts', line: "('no venue could be asked', { cause })" },
      { file: 'quote/price.ts', line: "return 'what a transfer of the token delivers cannot be known'" },
      { file: 'quote/price.ts', line: "return 'nothing would arrive'", original: "'nothing would arrive'" },
      {
        file: 'quote/price.ts',
        line: "return 'the gas cost has no price",
        original: "'the gas cost has no price in the output token'",
      },
      { file: 'build/choose.ts', line: 'const reasons: Record<string, string>' },
      {
        file: 'venues/simulateSettlement.ts',
        line: 'delivered: false, reason:',
        original: "'the input is more than Permit2 can allow'",
      },
      {
        file: 'venues/simulateSettlement.ts',
        line: 'delivered: false, reason:',
        original: "'the sender has not the native coins'",
      },
      {
        file: 'venues/simulateSettlement.ts',
        line: 'delivered: false, reason:',
        original: "'the swap would revert'",
      },
      {
        file: 'venues/simulateSettlement.ts',
        line: 'delivered: false, reason:',
        original: "'what arrives cannot be measured'",
      },
      {
        file: 'venues/simulateSettlement.ts',
        line: 'delivered: false, reason:',
        original: "'less than the minimum would arrive'",
      },
    ],
  },
  {
    kind: 'same',
    why: 'Whether an error that is no failure of the chain is handed on or handled like one. Only a bug of the service throws one.',
    mutants: [
      {
        file: 'quote/fanOut.ts',
        line: 'if (!(error instanceof ChainUnavailableError)) throw error',
        replacement: 'false',
      },
      { file: 'quote/fanOut.ts', line: 'const unexpected = ' },
      { file: 'quote/fanOut.ts', line: "(result) => result.status === 'rejected' && !(result.reason" },
      { file: 'quote/fanOut.ts', line: "if (unexpected?.status === 'rejected')" },
      {
        file: 'quote/presimulate.ts',
        line: 'if (!(error instanceof ChainUnavailableError)) throw error',
        replacement: 'false',
      },
      {
        file: 'build/choose.ts',
        line: 'if (!(error instanceof ChainUnavailableError)) throw error',
        replacement: 'false',
      },
    ],
  },
  {
    kind: 'same',
    why: 'The only venue is asked alone once more, or not, when the first question failed: either way within the budget of the quote.',
    mutants: [{ file: 'quote/fanOut.ts', line: 'spotPlansOf(plan).length < 2' }],
  },
  {
    kind: 'same',
    why: 'No impact is no impact: a loss of zero is zero bps.',
    mutants: [{ file: 'quote/impact.ts', line: 'return lost <= 0n', replacement: 'lost < 0n' }],
  },
  {
    kind: 'same',
    why: 'Times ten to the power of zero, and divided by it, is the same.',
    mutants: [{ file: 'quote/marks.ts', line: 'return exponent >= 0', replacement: 'exponent > 0' }],
  },
  {
    kind: 'same',
    why: 'What a token takes of a transfer shows in a small one as in a large one.',
    mutants: [
      {
        file: 'quote/ask.ts',
        line: 'return 10n ** BigInt(Math.max(decimals, 4))',
        replacement: 'Math.min(decimals, 4)',
      },
      { file: 'quote/transferProbe.ts', line: 'return [wantedRaw, ...SMALL_PROBES_RAW' },
    ],
  },
  {
    kind: 'same',
    why: 'Whoever holds a token will do for the probe, the first that is listed or the last; and the pool of a pair lies where its factory says, listed or not.',
    mutants: [
      { file: 'quote/holders.ts', line: 'if (!holders.has(lower(token)))', replacement: 'true' },
      { file: 'quote/holders.ts', line: 'note(token, pool ?? pairAddress' },
    ],
  },
  {
    kind: 'same',
    why: 'There is an outcome for every call of a probe.',
    mutants: [
      {
        file: 'quote/transferProbe.ts',
        line: "readTransferAnswer(transfer?.data ?? '')",
        original: 'transfer?.data',
      },
      { file: 'quote/transferProbe.ts', line: "readTransferAnswer(transfer?.data ?? '')", original: "''" },
      { file: 'quote/transferProbe.ts', line: "return readUint(outcome?.data ?? '')" },
    ],
  },
  {
    kind: 'same',
    why: 'A quote may be remembered for about 1.5 s (§4.1 rule 3); a service that remembers nothing keeps the promise too.',
    mutants: [
      { file: 'quote/memo.ts', line: 'for (const [key, { untilMs }] of entries)', replacement: 'true' },
      {
        file: 'quote/memo.ts',
        line: 'for (const [key, { untilMs }] of entries)',
        replacement: 'untilMs !== null || untilMs <= now',
      },
      {
        file: 'quote/memo.ts',
        line: 'for (const [key, { untilMs }] of entries)',
        replacement: 'untilMs < now',
      },
      {
        file: 'quote/memo.ts',
        line: 'for (const [key, { untilMs }] of entries)',
        replacement: 'untilMs > now',
      },
      { file: 'quote/memo.ts', line: 'if (known) return known.value', replacement: 'false' },
      { file: 'quote/memo.ts', line: 'const memoUntilMs', replacement: 'clock.nowMs() - memoMs' },
    ],
  },
  {
    kind: 'same',
    why: 'A memo of 1.5 s ends before a quote that stands for 15 s.',
    mutants: [
      { file: 'quote/memo.ts', line: 'entry.untilMs = made.expiresAtMs === null' },
      { file: 'quote/quoter.ts', line: 'expiresAtMs: route?.expiresAt ?? null' },
    ],
  },
  {
    kind: 'same',
    why: 'How many plans are kept so that calldata is not encoded again: performance alone. A plan follows from its pair.',
    mutants: [
      { file: 'quote/plan.ts', line: 'if (known) return known' },
      { file: 'quote/plan.ts', line: 'if (plans.size >= KEPT_PLANS' },
    ],
  },
  {
    kind: 'same',
    why: 'Every manifest has a venue_a, and venue_a always has a way.',
    mutants: [
      { file: 'quote/plan.ts', line: 'const [way] = spotVenue?.ways', original: 'spotVenue?.ways' },
      { file: 'quote/plan.ts', line: 'const [way] = spotVenue?.ways', original: '[]' },
      { file: 'quote/plan.ts', line: 'return spotVenue && way', replacement: 'true' },
      { file: 'quote/plan.ts', line: 'return spotVenue && way', replacement: 'spotVenue || way' },
    ],
  },
  {
    kind: 'same',
    why: 'The simulation of a quote sends no native coins, so no sender lacks any.',
    mutants: [{ file: 'quote/ask.ts', line: "if (outcomes === 'unfunded')" }],
  },
  {
    kind: 'same',
    why: 'An output of nothing is refused a second time where what arrives is counted; and no venue pays out a whole supply to the last unit.',
    mutants: [
      {
        file: 'quote/ask.ts',
        line: 'if (amountOutRaw === null',
        original: 'amountOutRaw === 0n',
        replacement: 'false',
      },
      { file: 'quote/ask.ts', line: 'if (amountOutRaw === null', replacement: 'amountOutRaw >= mostRaw' },
      { file: 'quote/price.ts', line: 'if (arrivingRaw === swappedRaw', original: 'arrivingRaw === 0n' },
    ],
  },
  {
    kind: 'same',
    why: 'There is an answer for every venue that was asked, and an outcome for every call.',
    mutants: [
      { file: 'quote/fanOut.ts', line: 'const answer = result?.status', original: 'result?.status' },
      { file: 'quote/ask.ts', line: 'if (!outcome?.ok) continue', original: 'outcome?.ok' },
      { file: 'quote/ask.ts', line: 'return outcome?.ok ? read(outcome.data)', original: 'outcome?.ok' },
    ],
  },
  {
    kind: 'same',
    why: 'Of two ways of one venue that bring the same, either is the best.',
    mutants: [
      {
        file: 'quote/ask.ts',
        line: 'best === null || amountOutRaw > best',
        replacement: 'amountOutRaw >= best.amountOutRaw',
      },
    ],
  },
  {
    kind: 'same',
    why: 'Candidates come in the order of the venues and the sort is stable, so that of two that tie the later is always compared with the earlier. A clause on ties there is not.',
    mutants: [{ file: 'quote/ranking.ts', line: 'return a.venue.id < b.venue.id', original: '-1' }],
  },
  {
    kind: 'same',
    why: 'A quote may be simulated for its sender, and what would revert may be left out (§4.1 `sender`): a service that leaves out less keeps the promise.',
    mutants: [
      { file: 'quote/presimulate.ts', line: 'if (outcome.delivered) return' },
      { file: 'quote/presimulate.ts', line: 'return priced.ranked.slice(index)' },
    ],
  },
  {
    kind: 'same',
    why: 'A clause on ties there is not.',
    mutants: [
      { file: 'quote/ranking.ts', line: 'return a.venue.id < b.venue.id' },
      { file: 'quote/ranking.ts', line: 'if (difference !== 0n)' },
    ],
  },
  {
    kind: 'missed',
    why: 'What reverts with one word of data, which reads like an amount. No venue of the world does.',
    mutants: [
      { file: 'quote/ask.ts', line: 'if (!outcome?.ok) continue', replacement: 'false' },
      { file: 'chain/simulate.ts', line: "return { ok: outcome?.status === '0x1'", replacement: 'true' },
    ],
  },
  {
    kind: 'missed',
    why: 'A token that the manifest lists nowhere, and that trades with WETH all the same; somebody who sends tokens to the receiver of the probes; a token that agrees to a transfer and moves nothing; a venue that promises more than there is of a token, and less than 2^128; a feed that answers out of shape; a transfer that leaves nothing. The world has none of them.',
    mutants: [
      { file: 'quote/holders.ts', line: 'const [token0, token1]' },
      { file: 'quote/holders.ts', line: 'token0 ?? tokenA' },
      { file: 'quote/transferProbe.ts', line: 'const receivedRaw = ' },
      { file: 'quote/transferProbe.ts', line: 'if (receivedRaw > 0n &&' },
      {
        file: 'quote/ask.ts',
        line: 'if (token.address === NATIVE) return () => MOST_NATIVE_RAW',
        replacement: 'true',
      },
      { file: 'chain/words.ts', line: 'if (data.length !== 2 + 5 * WORD)' },
      { file: 'quote/price.ts', line: "if (arrivingRaw === 0n) return 'nothing", replacement: 'false' },
      { file: 'quote/price.ts', line: 'if (cost === null)', replacement: 'false' },
    ],
  },
  {
    kind: 'missed',
    why: 'What gas costs in a token without any USD feed, traded for another such token: by what WETH brings of the input, or by the caller’s mark. No two such tokens have a pool in the world.',
    mutants: [
      { file: 'quote/gasCost.ts', line: 'if (prices.spotIn !== null)' },
      { file: 'quote/gasCost.ts', line: 'if (eth && prices.callerOut)' },
    ],
  },
]
