import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { type Defect, defect } from './defect.ts'
import { reranked } from './making/rules.ts'
import { type Fields, fieldsOf, inFront, isFor, reading, refusing, withFields } from './making/wire.ts'

const SOMEBODY = `0x${'fe'.repeat(20)}`
const asking = (change: (fields: Fields) => Fields) => reading('quote', change)
const NEEDS_ADDRESS = new Set(['WETH', 'USDG'])
const NATIVE = '0x0000000000000000000000000000000000000000'

/** §4.1: quotes that should have been served, or served otherwise. */
export const quoteServedDefects: readonly Defect[] = [
  defect(
    'quote.native-means-weth',
    'quote.from-address.native',
    'fromAddress native stands for WETH',
    inFront((inject) => async (request) => {
      const fields = fieldsOf(request)
      if (!isFor('quote', request) || fields.fromAddress !== 'native') return inject(request)
      return inject(withFields(request, { ...fields, from: 'WETH', fromAddress: undefined }))
    }),
  ),
  defect(
    'quote.address-compared-as-text',
    'quote.from-address.optional',
    'the address of a registry token must be written as the registry writes it',
    refusing(
      'quote',
      ({ fromAddress }) => /^0x[0-9a-f]{40}$/.test(String(fromAddress)) && fromAddress !== NATIVE,
    ),
  ),
  defect(
    'quote.slippage-default-100',
    'quote.slippage.default',
    'without slippageBps it is 100',
    asking((fields) => ({ ...fields, slippageBps: fields.slippageBps ?? 100 })),
  ),
  defect(
    'quote.partner-fee-default-house',
    'quote.partner-fee.default',
    'without partnerFeeBps, 5 bps go to the house',
    asking((fields) =>
      fields.partnerFeeBps === undefined
        ? { ...fields, partnerFeeBps: 5, partnerFeeRecipient: SOMEBODY }
        : fields,
    ),
  ),
  defect(
    'quote.sender-must-pay',
    'quote.sender.accepted',
    'a quote with a sender that holds nothing is refused',
    refusing(
      'quote',
      ({ sender }) => String(sender).toLowerCase() === ACCOUNTS.unfunded.address.toLowerCase(),
    ),
  ),
  defect(
    'quote.alias-ignored',
    'quote.prefer-engine.alias',
    'engine is an unknown parameter, and ignored',
    asking((fields) => ({ ...fields, engine: undefined })),
  ),
  defect(
    'quote.price-marks-refused',
    'quote.price-marks.accepted',
    'marks are parsed as integers, and 1.001 is refused',
    refusing(
      'quote',
      ({ fromPriceUsd }) => fromPriceUsd !== undefined && !/^\d+$/.test(String(fromPriceUsd)),
    ),
  ),
  defect(
    'quote.registry-wants-address',
    'quote.registry.symbol-only',
    'every token but ETH needs its address',
    refusing(
      'quote',
      ({ from, fromAddress }) => fromAddress === undefined && NEEDS_ADDRESS.has(String(from)),
    ),
  ),
  defect(
    'quote.unknown-token-null',
    'quote.unknown-token.priced',
    'a token outside the registry is never priced',
    reranked(
      (ranked, { tokenIn, tokenOut }) => (tokenIn.registered && tokenOut.registered ? ranked : []),
      'quote',
    ),
  ),
  defect(
    'quote.key-in-x-api-key',
    'quote.api-key',
    'a quote wants its key in X-Api-Key',
    refusing('quote', (_fields, { headers }) => headers['x-api-key'] === undefined, 401),
  ),
]
