import { type Defect, defectTable } from '../../src/runner/proof/defect.ts'
import { clamp, isAddress, isVenue, SOMEBODY, truncated } from './helpers/values.ts'
import {
  answerOf,
  changeRequest,
  changeResponse,
  type Fields,
  fieldsOf,
  isFor,
  wrapService,
} from './helpers/wire.ts'

const asking = (change: (fields: Fields) => Fields) =>
  changeRequest('build', (fields) => ({ ...fields, ...change(fields) }))
/** A number in a body is clamped; anything else stays for the parser to refuse. */
const clampNumber = (value: unknown, low: number, high: number) =>
  typeof value === 'number' ? clamp(value, low, high) : value
const cut = (value: unknown) => (typeof value === 'string' ? value.slice(0, 24) : value)
const padded = (value: unknown) =>
  typeof value === 'string' && /^0x[0-9a-f]{1,39}$/i.test(value)
    ? `0x${value.slice(2).padStart(40, '0')}`
    : value

/** Another status where a build is refused with 400 and a message that contains this text. */
const refusedWith = ([text, status]: readonly [text: string, status: number]) =>
  changeResponse('build', 400, (answer) =>
    answer.body.includes(text) ? answerOf(status, JSON.parse(answer.body)) : answer,
  )

/** The largest value of a field is refused. */
const endRefused = ([field, end]: readonly [field: string, end: number]) =>
  changeResponse('build', 200, (answer, fields) =>
    fields[field] === end ? answerOf(400, { error: `${field}: too large` }) : answer,
  )

/** §4.2, §7: builds that should be refused and are served, or are refused with the wrong status. */
export const buildInputDefects: readonly Defect[] = [
  ...defectTable(asking, {
    'build.from-defaults-to-eth': [
      'build.from.required',
      'without `from`, a build sells 1 ETH',
      ({ from, amount }) => ({ from: from ?? 'ETH', amount: amount ?? 1 }),
    ],
    'build.to-defaults-to-weth': [
      'build.to.required',
      'without `to`, a build buys WETH',
      ({ to }) => ({ to: to ?? 'WETH' }),
    ],
    'build.symbol-cut-to-24': [
      'limits.symbol',
      'symbols of more than 24 characters are cut',
      ({ from, to }) => ({ from: cut(from), to: cut(to) }),
    ],
    'build.amount-coerced': [
      'build.amount.required',
      'an amount given as text or as a list is converted to a number',
      ({ amount }) => ({ amount: Number(amount) }),
    ],
    'build.sender-defaults-to-fee-wallet': [
      'build.sender.required',
      'without `sender`, the swap is built for the fee wallet',
      ({ sender }) => ({ sender: sender ?? '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' }),
    ],
    'build.sender-padded': [
      'build.sender.valid',
      'a sender that is too short is padded with zeros',
      ({ sender }) => ({ sender: padded(sender) }),
    ],
    'build.unknown-decimals-18': [
      'build.unknown-token.required',
      'the decimals of an unknown token default to 18',
      ({ fromAddress, fromDecimals, toAddress, toDecimals }) => ({
        ...(fromAddress ? { fromDecimals: fromDecimals ?? 18 } : {}),
        ...(toAddress ? { toDecimals: toDecimals ?? 18 } : {}),
      }),
    ],
    'build.addresses-padded': [
      'build.unknown-token.same-rules',
      'a token address that is too short is padded with zeros',
      ({ fromAddress, toAddress }) => ({ fromAddress: padded(fromAddress), toAddress: padded(toAddress) }),
    ],
    'build.decimals-clamped': [
      'limits.decimals',
      'decimals outside 0 to 36 are clamped',
      ({ fromDecimals, toDecimals }) => ({
        fromDecimals: clampNumber(fromDecimals, 0, 36),
        toDecimals: clampNumber(toDecimals, 0, 36),
      }),
    ],
    'build.slippage-clamped': [
      'build.slippage.range',
      'slippageBps outside 0 to 5000 is clamped',
      ({ slippageBps }) => ({ slippageBps: clampNumber(slippageBps, 0, 5_000) }),
    ],
    'build.slippage-rounded': [
      'build.bad-request.slippage',
      'a fraction in slippageBps is cut off',
      ({ slippageBps }) => ({
        slippageBps: typeof slippageBps === 'number' ? truncated(slippageBps) : slippageBps,
      }),
    ],
    'build.partner-fee-clamped': [
      'build.partner-fee.range',
      'partnerFeeBps outside 0 to 50 is clamped',
      ({ partnerFeeBps }) => ({ partnerFeeBps: clampNumber(partnerFeeBps, 0, 50) }),
    ],
    'build.fee-without-recipient': [
      'build.partner-fee.requires-recipient',
      'a fee without a recipient goes to a default recipient',
      ({ partnerFeeRecipient }) => ({ partnerFeeRecipient: partnerFeeRecipient ?? SOMEBODY }),
    ],
    'build.recipient-not-looked-at': [
      'build.partner-fee-recipient.address',
      'partnerFeeRecipient is accepted whatever it is',
      ({ partnerFeeRecipient: is }) => ({
        partnerFeeRecipient: is === undefined || isAddress(is) ? is : SOMEBODY,
      }),
    ],
    'build.unknown-venue-ignored': [
      'build.prefer-engine.known',
      'a preferEngine that is not a venue is ignored',
      ({ preferEngine }) => ({ preferEngine: isVenue(preferEngine) ? preferEngine : undefined }),
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
  ...defectTable(refusedWith, {
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
    'build.missing-sender-401': [
      'build.bad-request.sender',
      'a build without a sender is 404',
      ['sender: is required', 404],
    ],
  }),
  ...defectTable(wrapService, {
    'build.error-in-message': [
      'build.bad-request.body',
      'the text of a 400 is in `message` instead of `error`',
      (inject) => async (request) => {
        const answer = await inject(request)
        return isFor('build', request) && answer.statusCode === 400
          ? answerOf(400, { message: JSON.parse(answer.body).error })
          : answer
      },
    ],
    'build.bad-json-500': [
      'build.bad-request.json',
      'a body that cannot be parsed is 500',
      (inject) => async (request) => {
        const answer = await inject(request)
        const unread = isFor('build', request) && Object.keys(fieldsOf(request)).length === 0
        return unread && answer.statusCode === 400 ? answerOf(500, { error: 'internal error' }) : answer
      },
    ],
  }),
]
