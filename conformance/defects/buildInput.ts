import { type Defect, defect } from './defect.ts'
import { answerOf, type Fields, fieldsOf, inFront, insteadOf, isFor, reading } from './making/wire.ts'

const SOMEBODY = `0x${'fe'.repeat(20)}`
const asking = (change: (fields: Fields) => Fields) => reading('build', change)
const clamp = (value: unknown, low: number, high: number) =>
  typeof value === 'number' ? Math.min(Math.max(value, low), high) : value
const whole = (value: unknown) => (typeof value === 'number' ? Math.trunc(value) : value)
const isAddress = (value: unknown) => /^0x[0-9a-f]{40}$/i.test(String(value))
const padded = (value: unknown) =>
  typeof value === 'string' && /^0x[0-9a-f]{1,39}$/i.test(value)
    ? `0x${value.slice(2).padStart(40, '0')}`
    : value

/** Another status where a build is refused with 400 because of `field`. */
const refusedOf = (field: string, status: number) =>
  insteadOf('build', 400, (answer) =>
    answer.body.includes(field) ? answerOf(status, JSON.parse(answer.body)) : answer,
  )

/** §4.2, §7: builds that should have been refused, or refused otherwise. */
export const buildInputDefects: readonly Defect[] = [
  defect(
    'build.from-defaults-to-eth',
    'build.from.required',
    'without from, ETH is sold',
    asking((fields) => ({ amount: 1, ...fields, from: fields.from ?? 'ETH' })),
  ),
  defect(
    'build.to-defaults-to-weth',
    'build.to.required',
    'without to, WETH is bought',
    asking((fields) => ({ ...fields, to: fields.to ?? 'WETH' })),
  ),
  defect(
    'build.amount-coerced',
    'build.amount.required',
    'an amount that is text or a list is made a number',
    asking((fields) => ({ ...fields, amount: Number(fields.amount) })),
  ),
  defect(
    'build.sender-defaults-to-fee-wallet',
    'build.sender.required',
    'without a sender the build is made for the service itself',
    asking((fields) => ({
      ...fields,
      sender: fields.sender ?? '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    })),
  ),
  defect(
    'build.sender-padded',
    'build.sender.valid',
    'a sender that is too short is filled up with zeros',
    asking((fields) => ({ ...fields, sender: padded(fields.sender) })),
  ),
  defect(
    'build.unknown-decimals-18',
    'build.unknown-token.required',
    'an unknown token without decimals has 18',
    asking((fields) => ({
      ...fields,
      ...(fields.fromAddress ? { fromDecimals: fields.fromDecimals ?? 18 } : {}),
      ...(fields.toAddress ? { toDecimals: fields.toDecimals ?? 18 } : {}),
    })),
  ),
  defect(
    'build.addresses-padded',
    'build.unknown-token.same-rules',
    'an address of a token that is too short is filled up with zeros',
    asking((fields) => ({
      ...fields,
      fromAddress: padded(fields.fromAddress),
      toAddress: padded(fields.toAddress),
    })),
  ),
  defect(
    'build.decimals-clamped',
    'limits.decimals',
    'decimals outside 0 to 36 are brought to the nearest end',
    asking((fields) => ({
      ...fields,
      fromDecimals: clamp(fields.fromDecimals, 0, 36),
      toDecimals: clamp(fields.toDecimals, 0, 36),
    })),
  ),
  defect(
    'build.slippage-clamped',
    'build.slippage.range',
    'slippageBps outside its range is brought to the nearest end',
    asking((fields) => ({ ...fields, slippageBps: clamp(fields.slippageBps, 0, 5_000) })),
  ),
  defect(
    'build.slippage-end-exclusive',
    'limits.slippage',
    'a build draws the line for slippageBps below 5000, a quote at it',
    insteadOf('build', 200, (answer, { slippageBps }) =>
      slippageBps === 5_000 ? answerOf(400, { error: 'slippageBps: too large' }) : answer,
    ),
  ),
  defect(
    'build.partner-fee-clamped',
    'build.partner-fee.range',
    'partnerFeeBps outside its range is brought to the nearest end',
    asking((fields) => ({ ...fields, partnerFeeBps: clamp(fields.partnerFeeBps, 0, 50) })),
  ),
  defect(
    'build.partner-fee-end-exclusive',
    'limits.partner-fee',
    'a build draws the line for partnerFeeBps below 50, a quote at it',
    insteadOf('build', 200, (answer, { partnerFeeBps }) =>
      partnerFeeBps === 50 ? answerOf(400, { error: 'partnerFeeBps: too large' }) : answer,
    ),
  ),
  defect(
    'build.fee-without-recipient',
    'build.partner-fee.requires-recipient',
    'a fee without a recipient goes to the house',
    asking((fields) => ({ ...fields, partnerFeeRecipient: fields.partnerFeeRecipient ?? SOMEBODY })),
  ),
  defect(
    'build.recipient-not-looked-at',
    'build.partner-fee-recipient.address',
    'partnerFeeRecipient may be any text',
    asking(({ partnerFeeRecipient, ...fields }) => ({
      ...fields,
      partnerFeeRecipient:
        partnerFeeRecipient === undefined || isAddress(partnerFeeRecipient) ? partnerFeeRecipient : SOMEBODY,
    })),
  ),
  defect(
    'build.unknown-venue-ignored',
    'build.prefer-engine.known',
    'a preferEngine that no venue has is ignored',
    asking(({ preferEngine, ...fields }) => ({
      ...fields,
      preferEngine: /^venue_[a-f]$/.test(String(preferEngine)) ? preferEngine : undefined,
    })),
  ),
  defect(
    'build.error-in-message',
    'build.bad-request.body',
    'the message of a 400 is called message',
    insteadOf('build', 400, (answer) => answerOf(400, { message: JSON.parse(answer.body).error })),
  ),
  defect(
    'build.bad-address-422',
    'build.bad-request.invalid-address',
    'an address that is none is 422',
    refusedOf('0x address', 422),
  ),
  defect(
    'build.slippage-rounded',
    'build.bad-request.slippage',
    'a fraction in slippageBps is cut off',
    asking((fields) => ({ ...fields, slippageBps: whole(fields.slippageBps) })),
  ),
  defect(
    'build.fee-without-recipient-422',
    'build.bad-request.fee-without-recipient',
    'a fee without a recipient is 422',
    refusedOf('partnerFeeRecipient: is required', 422),
  ),
  defect(
    'build.missing-sender-401',
    'build.bad-request.sender',
    'a build without a sender is 404, as if nobody had asked',
    refusedOf('sender: is required', 404),
  ),
  defect(
    'build.bad-json-500',
    'build.bad-request.json',
    'a body that cannot be parsed is 500',
    inFront((inject) => async (request) => {
      const answer = await inject(request)
      const unread = isFor('build', request) && Object.keys(fieldsOf(request)).length === 0
      return unread && answer.statusCode === 400 ? answerOf(500, { error: 'internal error' }) : answer
    }),
  ),
]
