import type { Argument } from './argument.ts'

const DECIMAL = 'amounts/decimal.ts'
const JSON_NUMBER = 'amounts/jsonNumber.ts'
const BASE_UNITS = 'amounts/baseUnits.ts'

export const amounts: readonly Argument[] = [
  {
    kind: 'same',
    why: 'A default for what `split` always gives; an exponent that is not there reads as 0 either way (`Number("")`).',
    mutants: [
      { file: DECIMAL, line: "const [mantissa = '', exponentText = '0']", original: "''" },
      { file: DECIMAL, line: "const [mantissa = '', exponentText = '0']", original: "'0'" },
      { file: DECIMAL, line: "const [whole = '', fraction = '']" },
    ],
  },
  {
    kind: 'same',
    why: 'Times ten to the power of zero, and divided by it, is the same.',
    mutants: [
      { file: DECIMAL, line: 'return power >= 0', replacement: 'power > 0' },
      { file: JSON_NUMBER, line: 'return power >= 0', replacement: 'power > 0' },
    ],
  },
  {
    kind: 'same',
    why: 'The text of a double that stands for base units never has more decimals than the token: either doubles lie closer than base units, and the text is that of the amount itself, or wider, and a multiple of the base unit names each of them. So the power is never negative here.',
    mutants: [
      { file: JSON_NUMBER, line: 'return power >= 0', replacement: 'true' },
      { file: JSON_NUMBER, line: ': sign(coefficient - raw * 10n' },
    ],
  },
  {
    kind: 'same',
    why: 'Whole base units of a token without decimals are written with a point behind them, which `Number` reads alike.',
    mutants: [{ file: BASE_UNITS, line: 'return decimals === 0', replacement: 'false' }],
  },
  {
    kind: 'same',
    why: 'The service refuses amounts of less than one base unit, and of more than a uint256, with 400; §4.1 asks only for more than zero. Without these lines the venues are asked and price nothing, which is a quote without a route and a build refused with 422. No double is the largest uint256.',
    mutants: [
      { file: BASE_UNITS, line: 'if (raw === 0n)', replacement: 'false' },
      { file: BASE_UNITS, line: 'if (raw > MAX_UINT256)', replacement: 'false' },
      { file: BASE_UNITS, line: 'if (raw > MAX_UINT256)', replacement: 'raw >= MAX_UINT256' },
      { file: BASE_UNITS, line: 'const MAX_UINT256' },
    ],
  },
  {
    kind: 'same',
    why: 'Zero is zero in every direction; JSON knows no negative one.',
    mutants: [
      { file: JSON_NUMBER, line: 'if (raw === 0n) return 0', replacement: 'false' },
      { file: JSON_NUMBER, line: 'directed(-raw, decimals, 1)', replacement: 'raw <= 0n' },
      { file: JSON_NUMBER, line: 'directed(-raw, decimals, -1)', replacement: 'raw <= 0n' },
    ],
  },
  {
    kind: 'same',
    why: 'The direction is 1 or -1: to divide by it is to multiply by it.',
    mutants: [
      {
        file: JSON_NUMBER,
        line: 'if (compareText',
        replacement: 'compareText(nearest, raw, decimals) / direction',
      },
    ],
  },
  {
    kind: 'same',
    why: 'Only costs are rounded up, and no cost is negative.',
    mutants: [
      { file: JSON_NUMBER, line: 'directed(-raw, decimals, -1)', replacement: 'false' },
      { file: JSON_NUMBER, line: 'directed(-raw, decimals, -1)', original: '-directed(-raw, decimals, -1)' },
      { file: JSON_NUMBER, line: 'directed(-raw, decimals, -1)', original: '-raw' },
      { file: JSON_NUMBER, line: 'directed(-raw, decimals, -1)', original: '-1' },
    ],
  },
  {
    kind: 'same',
    why: 'Into which direction the last digit of a double is rounded, and whether it is. The specification has JSON numbers and no rule for it: the reference shows no more than the calldata enforces, and the suite accepts the doubles next to the exact value of anybody (`variant` amounts).',
    mutants: [
      { file: JSON_NUMBER, line: 'const sign = (difference: bigint)' },
      { file: JSON_NUMBER, line: 'function compareText(', replacement: '{}' },
      { file: JSON_NUMBER, line: 'const power = exponent + decimals' },
      { file: JSON_NUMBER, line: '? sign(coefficient * 10n ** BigInt(power) - raw)' },
      { file: JSON_NUMBER, line: 'if (compareText' },
      { file: JSON_NUMBER, line: 'return neighbour(nearest', original: 'direction === 1' },
      { file: JSON_NUMBER, line: 'bits.setBigUint64(0, bits.getBigUint64(0) + step)' },
      { file: JSON_NUMBER, line: 'directed(-raw, decimals, 1)', original: '-1', replacement: '+1' },
    ],
  },
  {
    kind: 'same',
    why: 'The cost of gas is an estimate; one base unit more or less, it is as good.',
    mutants: [
      {
        file: 'amounts/bps.ts',
        line: 'return (a * b + divisor - 1n) / divisor',
        replacement: 'a * b + divisor + 1n',
      },
      {
        file: 'amounts/bps.ts',
        line: 'return (a * b + divisor - 1n) / divisor',
        replacement: 'a * b - divisor',
      },
    ],
  },
]
