import { isAddress as isCased } from 'viem'
import { type Variant, variant } from '../../src/runner/proof/variant.ts'
import { around } from '../../src/service/testing.ts'
import { VENUE_IDS } from '../../src/spec/venues.ts'
import { changeRequest, type Fields, refuse } from '../defects/helpers/wire.ts'

const SYMBOLS: readonly string[] = ['ETH', 'WETH', 'USDG']
const NAMES: Readonly<Record<string, readonly string[]>> = {
  from: SYMBOLS,
  to: SYMBOLS,
  engine: VENUE_IDS,
  preferEngine: VENUE_IDS,
}
const NUMBERS = [
  'amount',
  'slippageBps',
  'partnerFeeBps',
  'fromDecimals',
  'toDecimals',
  'fromPriceUsd',
  'toPriceUsd',
]

/** Returns the fields that name a registry token or a venue in another letter case, corrected to its spelling. */
function respelt(fields: Fields): Fields {
  const spelt = Object.entries(NAMES).flatMap(([field, names]) => {
    const value = fields[field]
    const name = names.find((each) => typeof value === 'string' && each.toLowerCase() === value.toLowerCase())
    return name === undefined || name === value ? [] : [[field, name]]
  })
  return Object.fromEntries(spelt)
}
const isRespelt = (fields: Fields) => Object.keys(respelt(fields)).length > 0
const isAddress = (value: unknown) => /^0x[0-9a-f]{40}$/i.test(String(value))
const ADDRESSES = ['fromAddress', 'toAddress', 'sender', 'partnerFeeRecipient']
const lackChecksums = (fields: Fields) =>
  ADDRESSES.some((name) => isAddress(fields[name]) && !isCased(String(fields[name])))
const namesVenueTwice = ({ engine, preferEngine }: Fields) =>
  engine !== undefined && preferEngine !== undefined

/** Other ways to read a request where the specification names no rule. */
export const requestVariants: readonly Variant[] = [
  variant(
    'numbers-as-text-refused',
    'a build refuses numbers that are written as text',
    ['build.amount.required', 'build.slippage.range'],
    refuse('build', (fields) => NUMBERS.some((name) => typeof fields[name] === 'string')),
  ),
  variant(
    'letter-case-refused',
    'symbols and venues in another letter case are refused',
    ['quote.names.letter-case', 'quote.prefer-engine.known'],
    around(refuse('quote', isRespelt), refuse('build', isRespelt)),
  ),
  variant(
    'letter-case-ignored',
    'symbols and venues in another letter case are those of the registry',
    ['quote.names.letter-case', 'quote.prefer-engine.known'],
    around(changeRequest('quote', respelt), changeRequest('build', respelt)),
  ),
  variant(
    'checksums-required',
    'an address in both letter cases is refused where the checksum of EIP-55 is wrong',
    ['quote.partner-fee-recipient.address', 'build.partner-fee-recipient.address', 'build.sender.valid'],
    around(refuse('quote', lackChecksums), refuse('build', lackChecksums)),
  ),
  variant(
    'venue-named-twice-refused',
    'a request with both engine and preferEngine is refused, even where they are equal',
    ['quote.prefer-engine.alias', 'build.prefer-engine.alias'],
    around(refuse('quote', namesVenueTwice), refuse('build', namesVenueTwice)),
  ),
  variant(
    'malformed-sender-ignored',
    'a quote ignores a sender that is not an address',
    ['quote.sender.address', 'quote.sender.accepted'],
    changeRequest('quote', ({ sender }) =>
      sender === undefined || isAddress(sender) ? {} : { sender: undefined },
    ),
  ),
  variant(
    'sender-ignored',
    'a quote ignores its sender, and so does its memo',
    ['quote.sender.pre-simulation', 'quote.memo.only-identical'],
    changeRequest('quote', ({ sender }) => (isAddress(sender) ? { sender: undefined } : {})),
  ),
  variant(
    'marks-unread',
    'a quote ignores the marks of its caller, and so does its memo',
    ['quote.price-marks.used', 'route.price-impact.against-mark'],
    changeRequest('quote', () => ({ fromPriceUsd: undefined, toPriceUsd: undefined })),
  ),
]
