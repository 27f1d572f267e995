import { type Defect, defectTable } from '../../src/runner/proof/defect.ts'
import { clamp, isAddress, isVenue, SOMEBODY, truncated } from './helpers/values.ts'
import { changeRequest, type Fields, refuse } from './helpers/wire.ts'

const asking = (change: (fields: Fields) => Fields) =>
  changeRequest('quote', (fields) => ({ ...fields, ...change(fields) }))
const UNKNOWN_CHARACTERS = /[^A-Za-z0-9._-]/g
const prefixed = (value: unknown) =>
  typeof value === 'string' && /^[0-9a-f]{40}$/i.test(value) ? `0x${value}` : value
const cut = (value: unknown) => (typeof value === 'string' ? value.slice(0, 24) : value)
const orDefault = (value: unknown, fallback: number) =>
  value !== undefined && Number.isNaN(Number(value)) ? fallback : value
/** Any text, padded or cut to an address. */
const forced = (value: unknown) => {
  if (value === undefined || value === 'native') return value
  const digits = String(value)
    .replace(/^0x/, '')
    .replace(/[^0-9a-f]/gi, '0')
  return `0x${digits.padStart(40, '0').slice(0, 40)}`
}

/** §4.1: quotes that should be refused and are served. */
export const quoteInputDefects: readonly Defect[] = [
  ...defectTable(asking, {
    'quote.from-defaults-to-eth': [
      'quote.from.required',
      'without `from`, a quote sells ETH',
      ({ from }) => ({ from: from ?? 'ETH' }),
    ],
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
    'quote.to-defaults-to-weth': [
      'quote.to.required',
      'without `to`, a quote buys WETH',
      ({ to }) => ({ to: to ?? 'WETH' }),
    ],
    'quote.to-cleaned': [
      'limits.symbol',
      'characters that are not allowed in a symbol are removed from `to`, and an empty `to` means WETH',
      ({ to }) => ({ to: to === undefined ? to : String(to).replace(UNKNOWN_CHARACTERS, '') || 'WETH' }),
    ],
    'quote.symbol-cut-to-24': [
      'limits.symbol',
      'symbols of more than 24 characters are cut',
      ({ from, to }) => ({ from: cut(from), to: cut(to) }),
    ],
    'quote.amount-defaults-to-one': [
      'quote.amount.required',
      'an amount that is missing or not a number is priced as 1',
      ({ amount }) => ({ amount: Number.isFinite(Number(amount)) ? amount : 1 }),
    ],
    'quote.empty-amount-is-one': [
      'quote.amount.required',
      'an empty amount is priced as 1',
      ({ amount }) => ({ amount: amount === '' ? 1 : amount }),
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
    'quote.unknown-from-as-weth': [
      'quote.from-address.required',
      'an unknown token to sell without an address is priced as USDG',
      ({ from, fromAddress, fromDecimals }) =>
        fromDecimals !== undefined && fromAddress === undefined && from !== 'ETH'
          ? { from: 'USDG', fromDecimals: undefined }
          : {},
    ],
    'quote.unknown-to-as-usdg': [
      'quote.to-address.required',
      'an unknown token to buy without an address is priced as USDG',
      ({ toAddress, toDecimals }) =>
        toDecimals !== undefined && toAddress === undefined ? { to: 'USDG', toDecimals: undefined } : {},
    ],
    'quote.from-address-without-0x': [
      'quote.from-address.format',
      'fromAddress is accepted without 0x',
      ({ fromAddress }) => ({ fromAddress: prefixed(fromAddress) }),
    ],
    'quote.from-address-forced': [
      'quote.from-address.format',
      'any text in fromAddress is padded or cut to 40 digits',
      ({ fromAddress }) => ({ fromAddress: forced(fromAddress) }),
    ],
    'quote.to-address-without-0x': [
      'quote.to-address.format',
      'toAddress is accepted without 0x',
      ({ toAddress }) => ({ toAddress: prefixed(toAddress) }),
    ],
    'quote.to-address-forced': [
      'quote.to-address.format',
      'any text in toAddress is padded or cut to 40 digits',
      ({ toAddress }) => ({ toAddress: forced(toAddress) }),
    ],
    'quote.from-decimals-default-18': [
      'quote.from-decimals.required',
      'fromDecimals of an unknown token defaults to 18',
      ({ fromAddress, fromDecimals }) => (fromAddress ? { fromDecimals: fromDecimals ?? 18 } : {}),
    ],
    'quote.to-decimals-default-18': [
      'quote.to-decimals.required',
      'toDecimals of an unknown token defaults to 18',
      ({ toAddress, toDecimals }) => (toAddress ? { toDecimals: toDecimals ?? 18 } : {}),
    ],
    'quote.from-decimals-clamped': [
      'quote.from-decimals.range',
      'fromDecimals outside 0 to 36 is clamped',
      ({ fromDecimals }) => ({ fromDecimals: clamp(fromDecimals, 0, 36) }),
    ],
    'quote.from-decimals-whole': [
      'quote.from-decimals.range',
      'a fraction in fromDecimals is cut off, and a word means 18',
      ({ fromDecimals }) => ({ fromDecimals: orDefault(truncated(fromDecimals), 18) }),
    ],
    'quote.to-decimals-clamped': [
      'quote.to-decimals.range',
      'toDecimals outside 0 to 36 is clamped, and a word means 18',
      ({ toDecimals }) => ({ toDecimals: clamp(orDefault(toDecimals, 18), 0, 36) }),
    ],
    'quote.to-decimals-whole': [
      'quote.to-decimals.range',
      'a fraction in toDecimals is cut off',
      ({ toDecimals }) => ({ toDecimals: truncated(toDecimals) }),
    ],
    'quote.slippage-clamped': [
      'quote.slippage.range',
      'slippageBps outside 0 to 5000 is clamped',
      ({ slippageBps }) => ({ slippageBps: clamp(slippageBps, 0, 5_000) }),
    ],
    'quote.slippage-whole': [
      'quote.slippage.range',
      'a fraction in slippageBps is cut off, and a word means the default',
      ({ slippageBps }) => ({ slippageBps: orDefault(truncated(slippageBps), 50) }),
    ],
    'quote.partner-fee-clamped': [
      'quote.partner-fee.range',
      'partnerFeeBps outside 0 to 50 is clamped',
      ({ partnerFeeBps }) => ({ partnerFeeBps: clamp(partnerFeeBps, 0, 50) }),
    ],
    'quote.partner-fee-whole': [
      'quote.partner-fee.range',
      'a fraction in partnerFeeBps is cut off, and a word means no fee',
      ({ partnerFeeBps }) => ({ partnerFeeBps: orDefault(truncated(partnerFeeBps), 0) }),
    ],
    'quote.fee-without-recipient': [
      'quote.partner-fee.requires-recipient',
      'a fee without a recipient goes to a default recipient',
      ({ partnerFeeRecipient }) => ({ partnerFeeRecipient: partnerFeeRecipient ?? SOMEBODY }),
    ],
    'quote.recipient-not-looked-at': [
      'quote.partner-fee-recipient.address',
      'partnerFeeRecipient is accepted whatever it is',
      ({ partnerFeeRecipient: is }) => ({
        partnerFeeRecipient: is === undefined || isAddress(is) ? is : SOMEBODY,
      }),
    ],
    'quote.unknown-venue-ignored': [
      'quote.prefer-engine.known',
      'a preferEngine that is not a venue is ignored',
      ({ preferEngine }) => ({ preferEngine: isVenue(preferEngine) ? preferEngine : undefined }),
    ],
    'quote.market-preferred': [
      'service.market-only-result',
      'preferEngine accepts market, because a route may have that engine',
      ({ preferEngine }) => ({ preferEngine: preferEngine === 'market' ? undefined : preferEngine }),
    ],
  }),
  ...defectTable((when: (fields: Fields) => boolean) => refuse('quote', when), {
    'quote.symbol-of-one-refused': [
      'quote.from.pattern',
      'a symbol of one character is refused as too short',
      ({ from }) => String(from).length === 1,
    ],
  }),
]
