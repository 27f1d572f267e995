import { type Defect, defect } from './defect.ts'
import { overlooking } from './making/ports.ts'
import { type Fields, reading, refusing, showing } from './making/wire.ts'

const asking = (change: (fields: Fields) => Fields) => reading('quote', change)
const whole = (value: unknown) =>
  value === undefined || Number.isNaN(Number(value)) ? value : Math.trunc(Number(value))
const orDefault = (value: unknown, fallback: number) =>
  value !== undefined && Number.isNaN(Number(value)) ? fallback : value
/** Any text brought to the length and the digits of an address. */
const forced = (value: unknown) =>
  value === undefined || value === 'native'
    ? value
    : `0x${String(value)
        .replace(/^0x/, '')
        .replace(/[^0-9a-f]/gi, '0')
        .padStart(40, '0')
        .slice(0, 40)}`

/** §4.1: quotes that read more into a value than stands there, and those that read less. */
export const leniencyDefects: readonly Defect[] = [
  defect(
    'quote.empty-from-is-eth',
    'quote.from.pattern',
    'an empty from is the native coin',
    asking((fields) => ({ ...fields, from: fields.from === '' ? 'ETH' : fields.from })),
  ),
  defect(
    'quote.to-cleaned',
    'limits.symbol',
    'characters that no symbol has are taken out of to, and nothing at all is WETH',
    asking(({ to, ...fields }) => ({
      ...fields,
      to: to === undefined ? to : String(to).replace(/[^A-Za-z0-9._-]/g, '') || 'WETH',
    })),
  ),
  defect(
    'quote.symbol-of-one-refused',
    'quote.from.pattern',
    'a symbol of a single character is too short',
    refusing('quote', ({ from }) => String(from).length === 1),
  ),
  defect(
    'quote.empty-amount-is-one',
    'quote.amount.required',
    'an empty amount is one token',
    asking((fields) => ({ ...fields, amount: fields.amount === '' ? 1 : fields.amount })),
  ),
  defect(
    'quote.from-address-forced',
    'quote.from-address.format',
    'whatever stands in fromAddress is brought to the length of an address',
    asking((fields) => ({ ...fields, fromAddress: forced(fields.fromAddress) })),
  ),
  defect(
    'quote.to-address-forced',
    'quote.to-address.format',
    'whatever stands in toAddress is brought to the length of an address',
    asking((fields) => ({ ...fields, toAddress: forced(fields.toAddress) })),
  ),
  defect(
    'quote.from-decimals-whole',
    'quote.from-decimals.range',
    'a fraction in fromDecimals is cut off, and a word is 18',
    asking((fields) => ({ ...fields, fromDecimals: orDefault(whole(fields.fromDecimals), 18) })),
  ),
  defect(
    'quote.to-decimals-clamped',
    'quote.to-decimals.range',
    'toDecimals outside 0 to 36 is brought to the nearest end, and a word is 18',
    asking((fields) => {
      const decimals = Number(orDefault(fields.toDecimals, 18))
      const toDecimals = fields.toDecimals === undefined ? undefined : Math.min(Math.max(decimals, 0), 36)
      return { ...fields, toDecimals }
    }),
  ),
  defect(
    'quote.slippage-whole',
    'quote.slippage.range',
    'a fraction in slippageBps is cut off, and a word is the default',
    asking((fields) => ({ ...fields, slippageBps: orDefault(whole(fields.slippageBps), 50) })),
  ),
  defect(
    'quote.partner-fee-whole',
    'quote.partner-fee.range',
    'a fraction in partnerFeeBps is cut off, and a word is no fee',
    asking((fields) => ({ ...fields, partnerFeeBps: orDefault(whole(fields.partnerFeeBps), 0) })),
  ),
  defect(
    'match.gas-price-capped',
    'confirm.match.gas-price-free',
    'a transaction that pays more than 5 gwei is a mismatch',
    overlooking((transaction) =>
      BigInt(transaction.maxFeePerGas ?? '0x0') > 5_000_000_000n
        ? { ...transaction, input: '0x' }
        : transaction,
    ),
  ),
  defect(
    'tx.approval-for-the-fee-wallet',
    'build.approval.first',
    'venues of the settlement contract ask for an approval of the fee wallet',
    showing('build', ({ engine, tx }) => {
      if (engine === 'venue_a' || engine === 'venue_f') tx.allowanceTarget = `0x${'fe'.repeat(20)}`
    }),
  ),
]
