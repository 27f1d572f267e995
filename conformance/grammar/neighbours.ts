import { LIMITS } from '../../src/spec/limits.ts'

/** Every printable ASCII sign, the first and last letters and digits, and some characters that no field allows. */
const CHARACTERS = [
  ...Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).filter(
    (one) => !/[1-8B-Yb-y]/.test(one),
  ),
  ...['\t', 'é', '٣', '😀'],
]
/** For an address, a hash or an id: characters adjacent to hexadecimal digits, and some hexadecimal digits. */
const NEAR_HEX = ['/', ':', '@', 'G', '`', 'g', ' ', '-', 'x', '0', '9', 'a', 'F']

/** Values of other types, and the empty text. */
const NO_TEXTS: readonly unknown[] = [null, true, 1, [], {}, '']

/** Returns a text with one character replaced. */
const withCharacter = (text: string, index: number, character: string): string =>
  `${text.slice(0, index)}${character}${text.slice(index + 1)}`

/** Returns variants of a text: with white space or quotes, of another length, letter case or type. */
function around(text: string): readonly unknown[] {
  const spaced = [
    ` ${text}`,
    `${text} `,
    `${text}\n`,
    `"${text}"`,
    `${text}${text.at(-1)}`,
    text.slice(0, -1),
  ]
  return [...spaced, text.toUpperCase(), text.toLowerCase(), [text], ...NO_TEXTS]
}

/** Returns symbols with each character first and last, and with lengths at and beyond the limit. */
function symbols(text: string): readonly unknown[] {
  const longest = text.padEnd(LIMITS.symbolLength.max, 'Z')
  return [
    ...CHARACTERS.flatMap((one) => [withCharacter(text, 0, one), withCharacter(text, text.length - 1, one)]),
    ...['x', '_', longest, `${longest}Z`, longest.padEnd(1_000, 'Z'), 'constructor', '__proto__'],
    ...around(text),
  ]
}

/** Returns variants of a hexadecimal text: another digit at either end, another length, another prefix. */
function hexadecimals(text: string): readonly unknown[] {
  const start = text.startsWith('0x') ? 2 : 0
  return [
    ...NEAR_HEX.flatMap((one) => [
      withCharacter(text, start, one),
      withCharacter(text, text.length - 1, one),
    ]),
    ...(start === 0
      ? [`0x${text}`, text.replaceAll('-', '')]
      : [text.slice(2), `0X${text.slice(2)}`, `1x${text.slice(2)}`]),
    ...around(text),
  ]
}

/** Returns numbers at the ends of a range, texts that are not numbers, and other types. */
function numbers(
  value: number,
  { min, max }: { readonly min: number; readonly max: number },
): readonly unknown[] {
  const ends = [min - 1, min, min + 1, max - 1, max, max + 1, -value, min + 0.5, max + 0.5]
  const texts = [
    `+${value}`,
    ` ${value}`,
    `${value} `,
    `${value},0`,
    `0x${value}`,
    `${value}_0`,
    '٣',
    'NaN',
    'Infinity',
    'some',
  ]
  return [...ends, 2 ** 53, ...texts, `${value}`, [value], ...NO_TEXTS]
}

/** Returns amounts: zero, negative, in other notations, and other types. */
const amounts = (value: number): readonly unknown[] => [
  ...[
    0,
    -0,
    -value,
    value / 2,
    value + 0.001,
    `${value},5`,
    `${value}.2.3`,
    `+${value}`,
    ` ${value}`,
    '0x10',
  ],
  ...['NaN', 'Infinity', '-Infinity', 'many', '0.0', '-0.000001', `${value} USDG`, [value], ...NO_TEXTS],
]

/** Returns variants of a venue id: other ids, letter cases and letters. */
const words = (text: string): readonly unknown[] => [
  `${text}x`,
  'venue_g',
  'venue_',
  'market',
  ...around(text),
]

/** For each field of quote, build and confirm, a function from a valid value to its neighbours. */
export const NEIGHBOURS: Readonly<Record<string, (value: never) => readonly unknown[]>> = {
  from: symbols,
  to: symbols,
  amount: amounts,
  ...{
    fromAddress: hexadecimals,
    toAddress: hexadecimals,
    sender: hexadecimals,
    partnerFeeRecipient: hexadecimals,
  },
  fromDecimals: (value: number) => numbers(value, LIMITS.decimals),
  toDecimals: (value: number) => numbers(value, LIMITS.decimals),
  slippageBps: (value: number) => numbers(value, LIMITS.slippageBps),
  partnerFeeBps: (value: number) => numbers(value, LIMITS.partnerFeeBps),
  ...{ preferEngine: words, engine: words },
  ...{ buildId: hexadecimals, txHash: hexadecimals },
}
