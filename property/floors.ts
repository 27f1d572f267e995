import type { Budget } from '../src/runner/propertyFamily.ts'
import type { Floor } from '../src/runner/verdict.ts'
import type { Asked } from './asked.ts'

/**
 * Classes of cases that a whole run must have met, each at least so often, over all families together. A run below any
 * of these proves too little, whatever its properties say. In one place, so that whoever changes a generator sees what
 * it must still draw.
 */
export const FLOORS: Readonly<Record<string, number>> = {
  'amount: one base unit': 2,
  'amount: dust that rounds to zero': 4,
  'amount: last digit of a double': 10,
  'amount: 2^53 ± 1': 4,
  'amount: exponent': 30,
  'amount: surplus digits': 8,
  'more than any pool takes, or less than it pays for': 10,
  'decimals in: 0': 3,
  'decimals in: 6': 40,
  'decimals in: 18': 60,
  'decimals in: 36': 2,
  'decimals in: other': 12,
  'decimals out: 0': 3,
  'decimals out: 36': 2,
  'decimals out: other': 12,
  'native in': 40,
  'native out': 40,
  'erc20 to erc20': 60,
  'fee: none': 40,
  'fee: 0': 12,
  'fee: between': 40,
  'fee: 50': 12,
  'slippage: default': 20,
  'slippage: 0': 8,
  'slippage: 5000': 8,
  'slippage: between': 60,
  'one venue forced': 20,
  'marks of the caller': 30,
  'marks: missing': 1,
  'marks: absurd': 2,
  'gas: absurd': 2,
  'gas above output': 10,
  'pools: as deployed': 2,
  'pools: moved price': 25,
  'pools: extreme price': 4,
  'pools: other book': 6,
  'pools: empty side of a book': 2,
  'pools: other maker price': 3,
  'pools: unbalanced stable swap': 3,
  'pools: stale maker price': 1,
  'fault: no-liquidity': 2,
  'fault: revert-on-quote': 1,
  'fault: nonsense-on-quote': 1,
  'fault: revert-on-swap': 4,
  'fault: move-on-swap': 4,
  'answer: no route': 20,
  'answer: market': 3,
  'answer: venue_a wins': 20,
  'answer: venue_b wins': 1,
  'answer: venue_c wins': 10,
  'answer: venue_d wins': 5,
  'answer: venue_e wins': 3,
  'answer: venue_f wins': 3,
  'venues answering: 6': 3,
  'with sender': 15,
  'sender: unfunded': 1,
  'key: one': 15,
  'key: two': 8,
  'key: legacy': 8,
  'refused: 422': 8,
  'approved by permit': 2,
  'fee transfer sent': 1,
  'fee transfer skipped': 1,
  'fell through': 1,
  executed: 10,
  'executed after a move': 5,
  'reverted after a move': 2,
  'report: 200': 8,
  'report: 202': 1,
  'report: 409': 1,
  'report: 503': 1,
  'step: reorg': 1,
  'step: mine': 10,
  'confirm: 200 new': 8,
  'confirm: 202': 10,
  'confirm: 409': 2,
  'confirm: 200 again': 1,
  'reorg: done': 8,
  'quote: 200': 15,
  'quote: 400': 40,
  'build: 200': 15,
  'build: 400': 50,
  'confirm: 400': 20,
  'confirm: 404': 5,
  'no rule broken': 50,
}

/** What a full run must have asked: below it, it is no full run. */
const FULL_FLOORS: Readonly<Partial<Asked>> = { quotes: 20_000, swaps: 2_000 }

/** How often each class was met, and how often it had to be; of the full budget also quotes and swaps. */
export function floorsOf(
  labels: ReadonlyMap<string, number>,
  asked: Asked,
  budget: Budget,
): readonly Floor[] {
  const classes = Object.entries(FLOORS).map(([label, floor]) => ({
    label,
    met: labels.get(label) ?? 0,
    floor,
  }))
  const sums = Object.entries(FULL_FLOORS).map(([label, floor]) => ({
    label: `${label} in all`,
    met: asked[label as keyof Asked],
    floor,
  }))
  return [...classes, ...(budget === 'full' ? sums : [])]
}
