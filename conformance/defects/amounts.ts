import { type Defect, defect, defectTable } from '../../src/runner/proof/defect.ts'
import { changeOrder, changePricing } from './helpers/rules.ts'
import { isDirect } from './helpers/values.ts'
import { changeBody, changeRequest, changeRoute, changeRouteOf, type Fields } from './helpers/wire.ts'

/** Prices the whole input, with the partner fee still in it. */
const withoutFee = changePricing(
  (price) => async (request, budget) => ({
    ...(await price({ ...request, partnerFeeBps: 0 }, budget)),
    request,
  }),
  'quote',
)

/** Takes the partner fee off the output that the venue pays for the whole input. */
const feeOffTheOutput = changePricing(
  (price) => async (request, budget) => {
    const priced = await price({ ...request, partnerFeeBps: 0 }, budget)
    const ranked = priced.ranked.map((candidate) => ({
      ...candidate,
      amountOutRaw:
        candidate.amountOutRaw - (candidate.amountOutRaw * BigInt(request.partnerFeeBps)) / 10_000n,
    }))
    return { ...priced, ranked, request }
  },
  'quote',
)
/** Returns an amount with more than 18 decimals, as a parser of ether reads it. */
function cutTo18({ amount }: Fields): Fields {
  const text = String(amount).includes('e') ? Number(amount).toFixed(40) : String(amount)
  const [whole, fraction = ''] = text.split('.')
  const cut = `${whole}.${fraction.slice(0, 18)}`
  return fraction.length <= 18 ? {} : { amount: typeof amount === 'number' ? Number(cut) : cut }
}

/** Returns an amount with a seventh decimal, read by a parser that does not cut it off. */
function withSurplusDigit({ amount }: Fields): Fields {
  const [whole, fraction = ''] = String(amount).split('.')
  const read = Number(`${whole}${fraction}`) / 1e6
  return fraction.length === 7 ? { amount: typeof amount === 'number' ? read : `${read}` } : {}
}

/** §1: mistakes in what is paid, and in how amounts are written. */
export const amountDefects: readonly Defect[] = [
  ...(['quote', 'build'] as const).map((endpoint) =>
    defect(
      `amounts.cut-to-18-decimals.${endpoint}`,
      'route.amount-in',
      `a ${endpoint} cuts an amount to 18 decimals, whatever the token has`,
      changeRequest(endpoint, cutTo18),
    ),
  ),
  ...(['quote', 'build'] as const).map((endpoint) =>
    defect(
      `amounts.surplus-digit-kept.${endpoint}`,
      'route.amount-in',
      `a ${endpoint} takes a seventh digit of a token that has six for one of its base units`,
      changeRequest(endpoint, withSurplusDigit),
    ),
  ),
  defect(
    'amounts.fee-forgotten-on-quote',
    'amounts.net-of-fee',
    'a quote ignores the partner fee',
    withoutFee,
  ),
  defect(
    'amounts.fee-off-the-output',
    'fees.on-input',
    'a quote takes the partner fee off the output',
    feeOffTheOutput,
  ),
  ...defectTable(changeRouteOf('build'), {
    'amounts.fee-added-back-on-build': [
      'fees.total.baked-in',
      'a build shows the output before the partner fee',
      (route, { totalFeeBps }) => {
        for (const field of ['amountOut', 'minimumReceived', 'midRate'])
          route[field] /= 1 - totalFeeBps / 10_000
        route.alternatives[0].amountOut = route.amountOut
      },
    ],
  }),
  ...defectTable(changeRoute, {
    'amounts.as-text': [
      'amounts.human-units',
      'the amounts of a route are strings',
      ({ amountIn, amountOut, minimumReceived }) => ({
        amountIn: String(amountIn),
        amountOut: String(amountOut),
        minimumReceived: String(minimumReceived),
      }),
    ],
  }),
  defect(
    'amounts.fee-transfer-in-human-units',
    'amounts.base-unit-strings',
    'feeTransfer.amountRaw is in whole tokens',
    changeBody('build', ({ feeTransfer }) => {
      if (feeTransfer) feeTransfer.amountRaw = String(Number(feeTransfer.amountRaw) / 1e6)
    }),
  ),
  ...defectTable(changeOrder, {
    'amounts.service-takes-a-bp': [
      'fees.service-charges-nothing',
      'a swap without a partner fee pays 1 bps to the fee wallet',
      (order, { deps, engine }) => {
        if (order.feeRaw > 0n || isDirect(engine)) return order
        const feeRecipient = deps.manifest.feeWallet as `0x${string}`
        return { ...order, feeRaw: order.amountInRaw / 10_000n, feeRecipient }
      },
    ],
    'amounts.through-a-double': [
      'route.amount-in',
      'the amount of a build goes through a double, which cuts its last bit',
      (order) => ({
        ...order,
        amountInRaw: BigInt(Math.floor(Number(order.amountInRaw) * (1 - Number.EPSILON))),
      }),
    ],
    'amounts.dust-kept-back': [
      'fees.only-partner',
      'the swap takes the input rounded down to 100 base units, and leaves the rest',
      (order, { engine }) =>
        isDirect(engine)
          ? order
          : { ...order, amountInRaw: order.amountInRaw - (order.amountInRaw % 100n) - 100n },
    ],
  }),
]
