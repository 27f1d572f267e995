import { REGISTRY } from '../../src/fixtures/tokens.ts'
import { type Defect, defect, defectTable } from '../../src/runner/proof/defect.ts'
import { buildBodySchema, quoteQuerySchema } from '../../src/spec/requests.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { SOMEBODY } from './helpers/values.ts'
import {
  answerOf,
  changeRequest,
  changeResponse,
  type Endpoint,
  type Fields,
  isFor,
  refuse,
  refusedAs,
  wrapService,
} from './helpers/wire.ts'

type Swap = 'quote' | 'build'
type Row = readonly [Swap, field: string, breaks: RequirementId, used: unknown]
const SCHEMAS = { quote: quoteQuerySchema, build: buildBodySchema }
const SWAPS = ['quote', 'build'] as const
const asking = (endpoint: Swap) => (change: (fields: Fields) => Fields) => changeRequest(endpoint, change)

/** Fields that are not checked, with the value that replaces an invalid one. */
const UNCHECKED: readonly Row[] = [
  ['quote', 'amount', 'quote.amount.positive', 1],
  ['quote', 'engine', 'quote.prefer-engine.known', undefined],
  ['quote', 'preferEngine', 'quote.prefer-engine.known', undefined],
  ['quote', 'partnerFeeRecipient', 'quote.partner-fee-recipient.address', SOMEBODY],
  ['build', 'from', 'limits.symbol', 'ETH'],
  ['build', 'to', 'limits.symbol', 'WETH'],
  ['build', 'amount', 'build.amount.required', 1],
  ['build', 'amount', 'limits.amount', 1],
  ['build', 'sender', 'build.sender.valid', SOMEBODY],
  ['build', 'fromDecimals', 'build.unknown-token.same-rules', 18],
  ['build', 'toDecimals', 'build.unknown-token.same-rules', 18],
  ['build', 'partnerFeeBps', 'build.partner-fee.range', 50],
  ['build', 'partnerFeeRecipient', 'build.partner-fee-recipient.address', SOMEBODY],
  ['build', 'engine', 'build.prefer-engine.known', undefined],
  ['build', 'preferEngine', 'build.prefer-engine.known', undefined],
]
const unchecked = UNCHECKED.map(([endpoint, field, breaks, used]) =>
  defect(
    `${endpoint}.unchecked.${field}${breaks === 'limits.amount' ? '.range' : ''}`,
    breaks,
    `${endpoint} does not check ${field}, and uses a default for an invalid value`,
    changeRequest(endpoint, (fields) => {
      const problems = SCHEMAS[endpoint].safeParse(fields).error?.issues ?? []
      return problems.some(({ path }) => path[0] === field) ? { [field]: used } : {}
    }),
  ),
)

/** Fields that may be absent, with the wrong default; decimals only where there is an address. */
const DEFAULTED: readonly Row[] = [
  ['quote', 'from', 'quote.from.required', 'ETH'],
  ['quote', 'to', 'quote.to.required', 'WETH'],
  ['quote', 'fromDecimals', 'quote.from-decimals.required', 18],
  ['quote', 'toDecimals', 'quote.to-decimals.required', 18],
  ['quote', 'slippageBps', 'quote.slippage.default', 100],
  ['quote', 'partnerFeeRecipient', 'quote.partner-fee.requires-recipient', SOMEBODY],
  ['build', 'from', 'build.from.required', 'ETH'],
  ['build', 'to', 'build.to.required', 'WETH'],
  ['build', 'fromDecimals', 'build.unknown-token.required', 18],
  ['build', 'toDecimals', 'build.unknown-token.required', 18],
  ['build', 'sender', 'build.sender.required', '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'],
  ['build', 'slippageBps', 'build.slippage.default', 100],
  ['build', 'partnerFeeRecipient', 'build.partner-fee.requires-recipient', SOMEBODY],
]
const defaulted = DEFAULTED.map(([endpoint, field, breaks, used]) =>
  defect(
    `${endpoint}.default.${field}`,
    breaks,
    `without ${field}, ${endpoint} uses ${used}`,
    changeRequest(endpoint, (fields) => {
      const isLacking = field.endsWith('Decimals') && !fields[field.replace('Decimals', 'Address')]
      return isLacking ? {} : { [field]: fields[field] ?? used }
    }),
  ),
)

const neededOnlyUnforced = (['quote', 'build'] as const).map((endpoint) =>
  defect(
    `${endpoint}.default.partnerFeeRecipient.forced`,
    `${endpoint}.partner-fee.requires-recipient`,
    `a ${endpoint} that forces a venue needs no recipient of its fee`,
    changeRequest(endpoint, ({ preferEngine, partnerFeeRecipient = SOMEBODY }) =>
      preferEngine === undefined ? {} : { partnerFeeRecipient },
    ),
  ),
)

/** Ranges of numbers, and the number that a lenient parser reads in a word. */
const RANGES: readonly (readonly [Swap, string, RequirementId, min: number, max: number, word: number])[] = [
  ['quote', 'slippageBps', 'quote.slippage.range', 0, 5_000, 50],
  ['quote', 'partnerFeeBps', 'quote.partner-fee.range', 0, 50, 0],
  ['quote', 'fromDecimals', 'quote.from-decimals.range', 0, 36, 18],
  ['quote', 'toDecimals', 'quote.to-decimals.range', 0, 36, 18],
  ['build', 'slippageBps', 'build.slippage.range', 0, 5_000, 50],
  ['build', 'partnerFeeBps', 'build.partner-fee.range', 0, 50, 0],
  ['build', 'fromDecimals', 'limits.decimals', 0, 36, 18],
  ['build', 'toDecimals', 'limits.decimals', 0, 36, 18],
]
const ranges = RANGES.flatMap(([endpoint, field, breaks, min, max, word]) => {
  // A query holds text; in a body only a number is one.
  const numbers = (change: (number: number) => number) =>
    changeRequest(endpoint, (fields) => {
      const value = fields[field]
      const isNumeric = endpoint === 'quote' ? value !== undefined : typeof value === 'number'
      return isNumeric ? { [field]: change(Number(value)) } : {}
    })
  return [
    defect(
      `${endpoint}.ends-refused.${field}`,
      breaks,
      `${endpoint} accepts a ${field} between ${min} and ${max}, but not these two values themselves`,
      refuse(endpoint, (fields) => fields[field] !== undefined && [min, max].includes(Number(fields[field]))),
    ),
    defect(
      `${endpoint}.clamped.${field}`,
      breaks,
      `${endpoint} clamps a ${field} outside ${min} to ${max}`,
      numbers((number) => Math.min(Math.max(number, min), max)),
    ),
    defect(
      `${endpoint}.whole.${field}`,
      // §7 names the slippage of a build on its own.
      breaks === 'build.slippage.range' ? 'build.bad-request.slippage' : breaks,
      `${endpoint} cuts off a fraction in ${field}, and reads a word as ${word}`,
      numbers((number) => (Number.isNaN(number) ? word : Math.trunc(number))),
    ),
  ]
})

const UNKNOWN_CHARACTERS = /[^A-Za-z0-9._-]/g
const cut = (value: unknown) => (typeof value === 'string' ? value.slice(0, 24) : value)
const known = (value: unknown) =>
  typeof value === 'string' && value.length > 24
    ? (Object.keys(REGISTRY).find((symbol) => value.startsWith(symbol)) ?? value)
    : value
const padded = (value: unknown) =>
  typeof value === 'string' && /^0x[0-9a-f]{1,39}$/i.test(value)
    ? `0x${value.slice(2).padStart(40, '0')}`
    : value
const numberOf = (value: unknown) => (typeof value === 'string' ? Number(value) : value)
/** Mistakes that both endpoints can make. */
const both = SWAPS.flatMap((endpoint) =>
  defectTable(asking(endpoint), {
    [`${endpoint}.symbol-cut-to-24`]: [
      'limits.symbol',
      'symbols of more than 24 characters are cut',
      ({ from, to }) => ({ from: cut(from), to: cut(to) }),
    ],
    [`${endpoint}.long-symbol-cut-to-a-known-one`]: [
      'limits.symbol',
      'a symbol of more than 24 characters is cut to the registry symbol that it begins with',
      ({ from, to }) => ({ from: known(from), to: known(to) }),
    ],
    [`${endpoint}.both-names-of-the-venue-ignored`]: [
      `${endpoint}.prefer-engine.alias`,
      '`engine` and `preferEngine` are both ignored when they differ',
      ({ engine, preferEngine }) =>
        engine !== undefined && preferEngine !== undefined && engine !== preferEngine
          ? { engine: undefined, preferEngine: undefined }
          : {},
    ],
    [`${endpoint}.partner-fee-default-house`]: [
      `${endpoint}.partner-fee.default`,
      'partnerFeeBps defaults to 5, with a recipient of its own',
      ({ partnerFeeBps }) =>
        partnerFeeBps === undefined ? { partnerFeeBps: 5, partnerFeeRecipient: SOMEBODY } : {},
    ],
    [`${endpoint}.alias-ignored`]: [
      `${endpoint}.prefer-engine.alias`,
      '`engine` is ignored as unknown',
      () => ({ engine: undefined }),
    ],
  }),
)

const quotes = defectTable(asking('quote'), {
  'quote.from-cleaned': [
    'quote.from.pattern',
    'characters that are not allowed in a symbol are removed from `from`',
    ({ from }) => ({ from: String(from ?? '').replace(UNKNOWN_CHARACTERS, '') }),
  ],
  'quote.empty-from-is-eth': [
    'quote.from.pattern',
    'an empty `from` means ETH',
    ({ from }) => ({ from: from === '' ? 'ETH' : from }),
  ],
  'quote.to-cleaned': [
    'limits.symbol',
    'characters that are not allowed in a symbol are removed from `to`, and an empty `to` means WETH',
    ({ to }) => ({ to: to === undefined ? to : String(to).replace(UNKNOWN_CHARACTERS, '') || 'WETH' }),
  ],
  'quote.amount-defaults-to-one': [
    'quote.amount.required',
    'an amount that is missing, empty or not a number is priced as 1',
    ({ amount }) => ({ amount: amount !== '' && Number.isFinite(Number(amount)) ? amount : 1 }),
  ],
  'quote.amount-absolute': [
    'quote.amount.positive',
    'the sign of a negative amount is ignored',
    ({ amount }) => ({ amount: Number(amount) < 0 ? -Number(amount) : amount }),
  ],
  'quote.zero-is-one-unit': [
    'limits.amount',
    'an amount of 0 is priced as 0.01',
    ({ amount }) => ({ amount: Number(amount) === 0 ? 0.01 : amount }),
  ],
  'quote.market-preferred': [
    'service.market-only-result',
    'preferEngine accepts market, because a route may have that engine',
    ({ preferEngine }) => ({ preferEngine: preferEngine === 'market' ? undefined : preferEngine }),
  ],
})

const builds = defectTable(asking('build'), {
  'build.amount-coerced': [
    'build.amount.required',
    'an amount given as text or as a list is converted to a number',
    ({ amount }) => ({ amount: Number(amount) }),
  ],
  'build.decimals-coerced': [
    'build.unknown-token.same-rules',
    'decimals given as text are converted to a number',
    ({ fromDecimals, toDecimals }) => ({
      fromDecimals: numberOf(fromDecimals),
      toDecimals: numberOf(toDecimals),
    }),
  ],
  'build.sender-padded': [
    'build.sender.valid',
    'a sender that is too short is padded with zeros',
    ({ sender }) => ({ sender: padded(sender) }),
  ],
  'build.addresses-padded': [
    'build.bad-request.invalid-address',
    'a token address that is too short is padded with zeros',
    ({ fromAddress, toAddress }) => ({ fromAddress: padded(fromAddress), toAddress: padded(toAddress) }),
  ],
})

/** Refuses the largest value of a field. */
const endRefused = ([field, end]: readonly [field: string, end: number]) =>
  changeResponse('build', 200, (answer, fields) =>
    fields[field] === end ? answerOf(400, { error: `${field}: too large` }) : answer,
  )

/** Returns whether the fee goes to the sender. */
const paysOwnSender = ({ sender, partnerFeeRecipient }: Fields) =>
  sender !== undefined && sender === partnerFeeRecipient

/** Removes characters that the service wrongly allows in a symbol. */
const withoutExtra =
  (extra: RegExp) =>
  ({ from, to }: Fields): Fields => ({
    from: typeof from === 'string' ? from.replace(extra, '') : from,
    to: typeof to === 'string' ? to.replace(extra, '') : to,
  })

/** Reads a body that is not JSON as if it were. */
const readLeniently = ([endpoint, read]: readonly [Endpoint, (text: string) => string]) =>
  wrapService(
    (inject) => (request) =>
      inject(
        isFor(endpoint, request) && typeof request.payload === 'string'
          ? { ...request, payload: read(request.payload) }
          : request,
      ),
  )
const firstObject = (text: string) => text.split(/(?<=\})(?=\{)/, 1)[0] ?? text

/** §4.1, §4.2, §7: requests that should be refused and are served, the reverse, or are refused with the wrong status. */
export const inputDefects: readonly Defect[] = [
  ...unchecked,
  ...defaulted,
  ...neededOnlyUnforced,
  ...ranges,
  ...both,
  ...quotes,
  ...builds,
  ...defectTable((extra: RegExp) => changeRequest('quote', withoutExtra(extra)), {
    'quote.symbol-range-from-dot-to-underscore': [
      'limits.symbol',
      'the pattern of symbols has a range from . to _, as in `[A-Za-z0-9.-_]`',
      /[/:-@[-^]/g,
    ],
    'quote.symbol-range-from-A-to-z': [
      'limits.symbol',
      'the pattern of symbols has a range from A to z',
      /[[-^`]/g,
    ],
    'quote.symbol-range-from-comma': [
      'limits.symbol',
      'the pattern of symbols has a range from , to ., as in `[A-Za-z0-9_,-.]`',
      /,/g,
    ],
  }),
  ...defectTable((when: (fields: Fields) => boolean) => refuse('build', when, 400), {
    'build.fee-to-the-sender-refused': [
      'build.partner-fee-recipient.address',
      'a fee whose recipient is the sender is refused',
      paysOwnSender,
    ],
  }),
  ...defectTable(asking('build'), {
    'build.no-fee-for-the-sender': [
      'fees.partner.echo',
      'there is no fee where its recipient is the sender',
      (fields) => (paysOwnSender(fields) ? { partnerFeeBps: undefined, partnerFeeRecipient: undefined } : {}),
    ],
  }),
  ...defectTable((when: (fields: Fields) => boolean) => refuse('quote', when), {
    'quote.symbol-of-one-refused': [
      'quote.from.pattern',
      'a symbol of one character is refused as too short',
      ({ from }) => String(from).length === 1,
    ],
  }),
  ...defectTable(endRefused, {
    'build.slippage-end-exclusive': [
      'limits.slippage',
      'a build refuses a slippageBps of 5000, which a quote accepts',
      ['slippageBps', 5_000],
    ],
    'build.partner-fee-end-exclusive': [
      'limits.partner-fee',
      'a build refuses a partnerFeeBps of 50, which a quote accepts',
      ['partnerFeeBps', 50],
    ],
  }),
  ...defectTable(refusedAs('build'), {
    'build.bad-address-422': [
      'build.bad-request.invalid-address',
      'an invalid address is 422',
      ['0x address', 422],
    ],
    'build.fee-without-recipient-422': [
      'build.bad-request.fee-without-recipient',
      'a fee without a recipient is 422',
      ['partnerFeeRecipient: is required', 422],
    ],
    'build.missing-sender-404': [
      'build.bad-request.sender',
      'a build without a sender is 404',
      ['sender: is required', 404],
    ],
    'build.bad-json-500': ['build.bad-request.json', 'a body that cannot be parsed is 500', ['body: ', 500]],
  }),
  ...defectTable(
    (start: string) => refuse('build', (_, { payload }) => String(payload).startsWith(start), 500),
    {
      'build.null-body-500': ['build.bad-request.json', 'a build whose body is null is 500', 'null'],
      'build.list-body-500': ['build.bad-request.json', 'a build whose body is a list is 500', '['],
    },
  ),
  ...defectTable(readLeniently, {
    'build.first-object-read': [
      'build.bad-request.json',
      'of a body of two JSON objects the first is built',
      ['build', firstObject],
    ],
    'build.nan-read': [
      'build.bad-request.json',
      'a build whose amount is NaN is one of 1',
      ['build', (text) => text.replace('NaN', '1')],
    ],
    'confirm.first-object-read': [
      'confirm.bad-request.json',
      'of a report of two JSON objects the first is taken',
      ['confirm', firstObject],
    ],
  }),
  defect(
    'build.error-in-message',
    'build.bad-request.body',
    'the text of a 400 is in `message` instead of `error`',
    changeResponse('build', 400, ({ body }) => answerOf(400, { message: JSON.parse(body).error })),
  ),
]
