import type { RequirementId } from '../../../src/spec/requirements/index.ts'
import { type Defect, narrow } from '../defect.ts'
import { at, type Endpoint, type Fields, reading } from '../making/wire.ts'

/** A class of values that a parser lets through, and what it reads in its place. */
interface Hole {
  readonly name: string
  readonly says: string
  readonly isOpen: (value: unknown, fields: Fields) => boolean
  readonly reads: (value: unknown) => unknown
}

const SOMEBODY = `0x${'fe'.repeat(20)}`
const text = (value: unknown) => (typeof value === 'string' ? value : '')
const number = (value: unknown) => (value === undefined || value === '' ? Number.NaN : Number(value))
const matching = (name: string, says: string, pattern: RegExp, reads: Hole['reads']): Hole => ({
  name,
  says,
  isOpen: (value) => typeof value === 'string' && pattern.test(value),
  reads,
})
const numeric = (
  name: string,
  says: string,
  isOpen: (value: number) => boolean,
  reads: Hole['reads'],
): Hole => ({
  name,
  says,
  isOpen: (value) => !Number.isNaN(number(value)) && isOpen(number(value)),
  reads,
})
const absent = (says: string, good: unknown, when: (fields: Fields) => boolean = () => true): Hole => ({
  name: 'absent',
  says,
  isOpen: (value, fields) => value === undefined && when(fields),
  reads: () => good,
})

const ADDRESS: readonly Hole[] = [
  matching('word', 'a name that nobody resolves', /^(?!native$|[0-9a-f]{40}$)[a-z]+$/i, () => SOMEBODY),
  matching('short', 'fewer digits than an address has', /^0x[0-9a-f]{1,39}$/i, (value) =>
    text(value).padEnd(42, '0'),
  ),
  matching('without-0x', 'an address without its 0x', /^[0-9a-f]{40}$/i, (value) => `0x${value}`),
  matching('not-hex', 'digits that are not hex', /^0x(?![0-9a-f]{40}$).{40}$/i, () => SOMEBODY),
  matching('long', 'more digits than an address has', /^0x[0-9a-f]{41,}$/i, (value) =>
    text(value).slice(0, 42),
  ),
]
const notLong = ADDRESS.filter(({ name }) => name !== 'long')

const wholeIn = (top: number, good: number): readonly Hole[] => [
  numeric(
    'negative',
    'a number below 0',
    (value) => value < 0,
    () => good,
  ),
  numeric(
    `above-${top}`,
    `a number above ${top}`,
    (value) => value > top,
    () => good,
  ),
  numeric(
    'fraction',
    'a fraction',
    (value) => !Number.isInteger(value) && value > 0 && value < 2,
    (value) => Math.trunc(number(value)),
  ),
]
const word = (good: number) => matching('word', 'a word', /^[a-z]+$/i, () => good)

const symbols = (good: string): readonly Hole[] => [
  matching('empty', 'nothing at all', /^$/, () => good),
  matching('space', 'a blank', /\s/, (value) => text(value).replace(/\s/g, '')),
  matching('symbol', 'a character that no symbol has', /[^A-Za-z0-9._\s-]/, (value) =>
    text(value).replace(/[^A-Za-z0-9._-]/g, ''),
  ),
  matching('25-characters', 'one character too many', /^.{25,}$/, (value) => text(value).slice(0, 24)),
]
const notSpace = (good: string) => symbols(good).filter(({ name }) => name !== 'space')

const zero = numeric(
  'zero',
  'zero',
  (value) => value === 0,
  () => 1,
)
const negative = numeric(
  'negative',
  'a negative number',
  (value) => value <= -1,
  (value) => -number(value),
)
const kindOf = (name: string, says: string, isOpen: (value: unknown) => boolean, good: unknown): Hole => ({
  name,
  says,
  isOpen,
  reads: () => good,
})
const venue = (name: string, says: string, pattern: RegExp) => matching(name, says, pattern, () => undefined)
const unknownVenue = venue('unknown', 'a venue that does not exist', /^venue_[^a-f]$/)

const sells = ({ fromAddress, fromDecimals }: Fields) =>
  fromAddress !== undefined || fromDecimals !== undefined
const buys = ({ toAddress, toDecimals }: Fields) => toAddress !== undefined || toDecimals !== undefined

type Row = readonly [endpoint: Endpoint, field: string, breaks: RequirementId, holes: readonly Hole[]]
const ROWS: readonly Row[] = [
  ['quote', 'from', 'quote.from.pattern', symbols('ETH')],
  ['quote', 'to', 'limits.symbol', symbols('WETH')],
  [
    'quote',
    'amount',
    'quote.amount.required',
    [
      absent('an amount that is not there', 1),
      matching('word', 'a word', /^(?!NaN$)[a-z]+$/i, () => 1),
      matching('not-a-number', 'NaN', /^NaN$/, () => 1),
      matching('two-points', 'a number with two points', /^[\d]+\.\d+\.\d+$/, (value) =>
        Number.parseFloat(text(value)),
      ),
    ],
  ],
  [
    'quote',
    'amount',
    'quote.amount.positive',
    [
      matching('zero', 'zero', /^0$/, () => 1),
      negative,
      matching('zero-with-digits', 'zero with digits after the point', /^0\.0+$/, () => 1),
      numeric(
        'smallest-negative',
        'a negative fraction',
        (value) => value < 0 && value > -1,
        () => 1,
      ),
    ],
  ],
  ['quote', 'fromAddress', 'quote.from-address.format', ADDRESS],
  ['quote', 'toAddress', 'quote.to-address.format', ADDRESS],
  ['quote', 'fromDecimals', 'quote.from-decimals.range', [...wholeIn(36, 18), word(18)]],
  ['quote', 'toDecimals', 'quote.to-decimals.range', [...wholeIn(36, 18), word(18)]],
  ['quote', 'slippageBps', 'quote.slippage.range', [...wholeIn(5_000, 50), word(50)]],
  ['quote', 'partnerFeeBps', 'quote.partner-fee.range', [...wholeIn(50, 50), word(50)]],
  ['quote', 'partnerFeeRecipient', 'quote.partner-fee-recipient.address', ADDRESS],
  [
    'quote',
    'preferEngine',
    'quote.prefer-engine.known',
    [unknownVenue, venue('upper', 'a venue in upper case', /^VENUE_/)],
  ],
  ['quote', 'engine', 'quote.prefer-engine.known', [unknownVenue]],

  ['build', 'from', 'limits.symbol', notSpace('ETH')],
  ['build', 'to', 'limits.symbol', notSpace('WETH')],
  [
    'build',
    'amount',
    'build.amount.required',
    [
      absent('an amount that is not there', 1),
      kindOf('text', 'a number in quotes', (value) => typeof value === 'string', 1),
      kindOf('null', 'null', (value) => value === null, 1),
      kindOf('list', 'a list of one number', Array.isArray, 1),
    ],
  ],
  ['build', 'amount', 'limits.amount', [zero, negative]],
  [
    'build',
    'sender',
    'build.sender.valid',
    ADDRESS.filter(({ name }) => name !== 'short' && name !== 'long'),
  ],
  ['build', 'fromAddress', 'build.bad-request.invalid-address', notLong],
  ['build', 'toAddress', 'build.bad-request.invalid-address', notLong],
  ['build', 'fromDecimals', 'build.unknown-token.same-rules', wholeIn(36, 18)],
  ['build', 'toDecimals', 'build.unknown-token.same-rules', wholeIn(36, 18)],
  [
    'build',
    'fromAddress',
    'build.unknown-token.required',
    [absent('an unknown token without address', SOMEBODY, sells)],
  ],
  [
    'build',
    'toAddress',
    'build.unknown-token.required',
    [absent('an unknown token without address', SOMEBODY, buys)],
  ],
  [
    'build',
    'fromDecimals',
    'build.unknown-token.required',
    [absent('an unknown token without decimals', 18, sells)],
  ],
  [
    'build',
    'toDecimals',
    'build.unknown-token.required',
    [absent('an unknown token without decimals', 18, buys)],
  ],
  ['build', 'slippageBps', 'build.slippage.range', wholeIn(5_000, 50).slice(0, 2)],
  [
    'build',
    'slippageBps',
    'build.bad-request.slippage',
    [
      numeric(
        'fraction',
        'a fraction below 1',
        (value) => value > 0 && value < 1,
        () => 0,
      ),
      numeric(
        'fraction-above',
        'a fraction above 1',
        (value) => value > 1 && !Number.isInteger(value),
        () => 50,
      ),
    ],
  ],
  ['build', 'partnerFeeBps', 'build.partner-fee.range', wholeIn(50, 50)],
  ['build', 'partnerFeeRecipient', 'build.partner-fee-recipient.address', notLong],
  [
    'build',
    'preferEngine',
    'build.prefer-engine.known',
    [unknownVenue, venue('market', 'market', /^market$/)],
  ],
  ['build', 'engine', 'build.prefer-engine.known', [unknownVenue]],
]

/** Parsers with exactly one hole: one field of one endpoint lets one class of bad values through. */
export const parserHoles: readonly Defect[] = ROWS.flatMap(([endpoint, field, breaks, holes]) =>
  holes.map(({ name, says, isOpen, reads }) =>
    narrow(
      `${endpoint}.takes.${field}.${name}`,
      breaks,
      `${endpoint} takes ${says} for ${field}`,
      at(endpoint, (fields) => isOpen(fields[field], fields)),
      reading(endpoint, (fields) => ({ ...fields, [field]: reads(fields[field]) })),
    ),
  ),
)
