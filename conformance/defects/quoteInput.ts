import { type Defect, defect } from './defect.ts'
import { type Fields, reading } from './making/wire.ts'

const SOMEBODY = `0x${'fe'.repeat(20)}`
const asking = (change: (fields: Fields) => Fields) => reading('quote', change)
const clamp = (value: unknown, low: number, high: number) => {
  const number = Number(value)
  return value === undefined || Number.isNaN(number) ? value : Math.min(Math.max(number, low), high)
}
const whole = (value: unknown) => (Number.isNaN(Number(value)) ? value : Math.trunc(Number(value)))
/** Puts `0x` before an address that came without it. */
const prefixed = (value: unknown) =>
  typeof value === 'string' && /^[0-9a-f]{40}$/i.test(value) ? `0x${value}` : value
const cut = (value: unknown) => (typeof value === 'string' ? value.slice(0, 24) : value)

/** §4.1: quotes that should have been refused. */
export const quoteInputDefects: readonly Defect[] = [
  defect(
    'quote.from-defaults-to-eth',
    'quote.from.required',
    'without from, ETH is sold',
    asking((fields) => ({ ...fields, from: fields.from ?? 'ETH' })),
  ),
  defect(
    'quote.from-cleaned',
    'quote.from.pattern',
    'characters that no symbol has are taken out of from',
    asking((fields) => ({ ...fields, from: String(fields.from ?? '').replace(/[^A-Za-z0-9._-]/g, '') })),
  ),
  defect(
    'quote.to-defaults-to-weth',
    'quote.to.required',
    'without to, WETH is bought',
    asking((fields) => ({ ...fields, to: fields.to ?? 'WETH' })),
  ),
  defect(
    'quote.amount-defaults-to-one',
    'quote.amount.required',
    'without a number for an amount, one token is priced',
    asking((fields) => ({ ...fields, amount: Number.isFinite(Number(fields.amount)) ? fields.amount : 1 })),
  ),
  defect(
    'quote.amount-absolute',
    'quote.amount.positive',
    'the sign of a negative amount is ignored',
    asking((fields) => ({
      ...fields,
      amount: Number(fields.amount) < 0 ? -Number(fields.amount) : fields.amount,
    })),
  ),
  defect(
    'quote.zero-is-one-unit',
    'limits.amount',
    'an amount of zero is priced as the smallest one',
    asking((fields) => ({ ...fields, amount: Number(fields.amount) === 0 ? 0.01 : fields.amount })),
  ),
  defect(
    'quote.unknown-from-as-weth',
    'quote.from-address.required',
    'an unknown symbol without an address is priced as WETH',
    asking((fields) =>
      fields.fromDecimals !== undefined && fields.fromAddress === undefined && fields.from !== 'ETH'
        ? { ...fields, from: 'USDG', fromDecimals: undefined }
        : fields,
    ),
  ),
  defect(
    'quote.from-address-without-0x',
    'quote.from-address.format',
    'fromAddress is read without its 0x too',
    asking((fields) => ({ ...fields, fromAddress: prefixed(fields.fromAddress) })),
  ),
  defect(
    'quote.unknown-to-as-usdg',
    'quote.to-address.required',
    'an unknown symbol to buy without an address is priced as USDG',
    asking((fields) =>
      fields.toDecimals !== undefined && fields.toAddress === undefined
        ? { ...fields, to: 'USDG', toDecimals: undefined }
        : fields,
    ),
  ),
  defect(
    'quote.to-address-without-0x',
    'quote.to-address.format',
    'toAddress is read without its 0x too',
    asking((fields) => ({ ...fields, toAddress: prefixed(fields.toAddress) })),
  ),
  defect(
    'quote.from-decimals-default-18',
    'quote.from-decimals.required',
    'without fromDecimals, an unknown token has 18',
    asking((fields) =>
      fields.fromAddress ? { ...fields, fromDecimals: fields.fromDecimals ?? 18 } : fields,
    ),
  ),
  defect(
    'quote.to-decimals-default-18',
    'quote.to-decimals.required',
    'without toDecimals, an unknown token has 18',
    asking((fields) => (fields.toAddress ? { ...fields, toDecimals: fields.toDecimals ?? 18 } : fields)),
  ),
  defect(
    'quote.from-decimals-clamped',
    'quote.from-decimals.range',
    'fromDecimals outside 0 to 36 is brought to the nearest end',
    asking((fields) => ({ ...fields, fromDecimals: clamp(fields.fromDecimals, 0, 36) })),
  ),
  defect(
    'quote.to-decimals-whole',
    'quote.to-decimals.range',
    'a fraction in toDecimals is cut off',
    asking((fields) => ({
      ...fields,
      toDecimals: fields.toDecimals === undefined ? undefined : whole(fields.toDecimals),
    })),
  ),
  defect(
    'quote.slippage-clamped',
    'quote.slippage.range',
    'slippageBps above 5000 is served as 5000',
    asking((fields) => ({ ...fields, slippageBps: clamp(fields.slippageBps, 0, 5_000) })),
  ),
  defect(
    'quote.partner-fee-clamped',
    'quote.partner-fee.range',
    'partnerFeeBps above 50 is served as 50',
    asking((fields) => ({ ...fields, partnerFeeBps: clamp(fields.partnerFeeBps, 0, 50) })),
  ),
  defect(
    'quote.fee-without-recipient',
    'quote.partner-fee.requires-recipient',
    'a fee without a recipient goes to the house',
    asking((fields) => ({ ...fields, partnerFeeRecipient: fields.partnerFeeRecipient ?? SOMEBODY })),
  ),
  defect(
    'quote.recipient-not-looked-at',
    'quote.partner-fee-recipient.address',
    'partnerFeeRecipient may be any text',
    asking((fields) => ({
      ...fields,
      partnerFeeRecipient:
        fields.partnerFeeRecipient === undefined ||
        /^0x[0-9a-f]{40}$/i.test(String(fields.partnerFeeRecipient))
          ? fields.partnerFeeRecipient
          : SOMEBODY,
    })),
  ),
  defect(
    'quote.unknown-venue-ignored',
    'quote.prefer-engine.known',
    'a preferEngine that no venue has is ignored',
    asking((fields) => ({
      ...fields,
      preferEngine: /^venue_[a-f]$/.test(String(fields.preferEngine)) ? fields.preferEngine : undefined,
    })),
  ),
  defect(
    'quote.symbol-cut-to-24',
    'limits.symbol',
    'symbols longer than 24 characters are cut',
    asking((fields) => ({ ...fields, from: cut(fields.from), to: cut(fields.to) })),
  ),
  defect(
    'quote.market-preferred',
    'service.market-only-result',
    'preferEngine market is accepted, as the engine of a route may be market',
    asking((fields) => ({
      ...fields,
      preferEngine: fields.preferEngine === 'market' ? undefined : fields.preferEngine,
    })),
  ),
]
