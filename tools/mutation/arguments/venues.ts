import type { Argument } from './argument.ts'

const SETTLE = 'venues/simulateSettlement.ts'
const PRODUCT = 'venues/constantProduct.ts'

/** Which ways of a venue are asked, and how a settlement is tried. */
export const venues: readonly Argument[] = [
  {
    kind: 'same',
    why: 'A venue is asked for more ways than it needs, and its best answer counts: what the manifest lists saves questions, and a way without a pool reverts.',
    mutants: [
      { file: PRODUCT, line: 'const listed = new Set' },
      { file: PRODUCT, line: 'if (tokenIn === weth ||' },
      { file: PRODUCT, line: 'const hopsListed', replacement: 'false' },
      {
        file: PRODUCT,
        line: 'const hopsListed',
        replacement: 'listed.has(pairKey(tokenIn, weth)) || listed.has(pairKey(weth, tokenOut))',
      },
      { file: 'venues/pairKey.ts', line: 'return a < b' },
      { file: 'venues/pairKey.ts', line: 'for (const item of items)' },
      { file: 'venues/singleton.ts', line: 'const plain', replacement: 'false' },
      { file: 'venues/singleton.ts', line: 'const plain', replacement: 'hooks !== NATIVE' },
      { file: 'venues/singleton.ts', line: 'const plain', replacement: '() => undefined' },
    ],
  },
  {
    kind: 'same',
    why: 'A venue trades the coin or its wrapped twin: whatever is not `native` is the other.',
    mutants: [
      { file: PRODUCT, line: "'wrapped'", original: "'wrapped'" },
      { file: 'venues/concentrated.ts', line: "'wrapped'", original: "'wrapped'" },
      { file: 'venues/venues.ts', line: "'wrapped'", original: "'wrapped'" },
    ],
  },
  {
    kind: 'same',
    why: 'A manifest lists its venues in their order; a clause on ties there is not.',
    mutants: [{ file: 'venues/venues.ts', line: '.sort((a, b) => (a.id < b.id' }],
  },
  {
    kind: 'same',
    why: 'The path of a venue that knows none is handed to a settlement that does not read it.',
    mutants: [
      { file: 'venues/directVenue.ts', line: "path: '0x'", original: "'0x'" },
      { file: 'venues/venues.ts', line: "encoded: '0x'", original: "'0x'" },
    ],
  },
  {
    kind: 'same',
    why: 'A swap that reverts, or brings less than its minimum, delivers nothing: the contract that is called sees to the minimum itself, and a balance that has not grown is refused. Each of these lines finds what the other finds too.',
    mutants: [
      { file: SETTLE, line: 'if (!outcomes[before.length]?.ok)' },
      { file: SETTLE, line: 'if (holdsRaw - heldRaw < order.minimumRaw' },
      { file: SETTLE, line: "reason: 'less than the minimum would arrive'", original: 'false' },
    ],
  },
  {
    kind: 'same',
    why: 'The balance of a token whose transfers were measured for the quote, or that is vouched for, can be read; and there is an outcome for every call.',
    mutants: [
      { file: SETTLE, line: 'const heldRaw = ' },
      { file: SETTLE, line: 'const holdsRaw = ' },
      { file: SETTLE, line: 'if (heldRaw === null ||' },
      { file: SETTLE, line: "reason: 'what arrives cannot be measured'", original: 'false' },
    ],
  },
  {
    kind: 'same',
    why: 'No venue that takes its input by Permit2 prices as much as 2^160 base units, which is more than it would ever find a sender to hold.',
    mutants: [
      { file: SETTLE, line: 'if (settlement.permit2 && order.amountInRaw > MAX_UINT160)' },
      { file: SETTLE, line: "reason: 'the input is more than Permit2 can allow'", original: 'false' },
      { file: SETTLE, line: 'const MAX_UINT160' },
    ],
  },
  {
    kind: 'same',
    why: 'An allowance of Permit2 that the spender does not use harms nobody.',
    mutants: [{ file: SETTLE, line: 'if (!settlement.permit2) return approvals', replacement: 'false' }],
  },
  {
    kind: 'same',
    why: '§4.2 rule 5: skipping the transfer of the fee does not break the swap. So a build stands whether its simulation pays the fee before it, pays it otherwise, or not at all.',
    mutants: [
      { file: SETTLE, line: 'if (feeTransfer === null) return []' },
      { file: SETTLE, line: "if (feeTransfer.token === 'native')" },
      { file: SETTLE, line: 'return [{ from, to: order.tokenIn, data, gas: HELPER_GAS }]' },
    ],
  },
  {
    kind: 'same',
    why: 'Two that watch one deadline: the line to the chain, and whoever waits for it.',
    mutants: [
      { file: SETTLE, line: 'deps.chain.send([simulation(calls, pretend)], { timeoutMs })' },
      { file: SETTLE, line: '() => new ChainUnavailableError(' },
    ],
  },
  {
    kind: 'same',
    why: '§4.2 rule 6 has a fee transfer on routes of these venues; one of nothing moves nothing.',
    mutants: [{ file: 'venues/directVenue.ts', line: 'order.feeRaw === 0n' }],
  },
  {
    kind: 'same',
    why: 'Through which tokens a route goes may be told in one hop or in several (§2.2: not shown).',
    mutants: [{ file: PRODUCT, line: 'via: tokens.slice(1, -1)', replacement: '+1' }],
  },
  {
    kind: 'missed',
    why: 'A pool that the manifest does not list, of a pair whose hops are listed or not; and a pool of venue_e with hooks. The world has none.',
    mutants: [
      { file: PRODUCT, line: 'const hopsListed', replacement: 'true' },
      { file: PRODUCT, line: 'return hopsListed ? [throughWeth]', original: '[direct, throughWeth]' },
      { file: 'venues/singleton.ts', line: 'const plain' },
    ],
  },
]
