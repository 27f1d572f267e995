import { type Defect, defect } from './defect.ts'
import { ordering, pricing } from './making/rules.ts'
import { routing, showing } from './making/wire.ts'

/** Prices the whole input, with the partner fee still in it. */
const forgettingTheFee = pricing(
  (price) => async (request, budget) => ({
    ...(await price({ ...request, partnerFeeBps: 0 }, budget)),
    request,
  }),
  'quote',
)

/** §1: mistakes in what is paid, and in how amounts are written. */
export const amountDefects: readonly Defect[] = [
  defect(
    'amounts.fee-forgotten-on-quote',
    'amounts.net-of-fee',
    'a quote prices the whole input and forgets the partner fee',
    forgettingTheFee,
  ),
  defect(
    'amounts.fee-added-back-on-build',
    'fees.total.baked-in',
    'a build shows its output before the partner fee',
    showing('build', ({ route, totalFeeBps }) => {
      const whole = 1 - totalFeeBps / 10_000
      route.amountOut /= whole
      route.minimumReceived /= whole
      route.midRate /= whole
      route.alternatives[0].amountOut = route.amountOut
    }),
  ),
  defect(
    'amounts.as-text',
    'amounts.human-units',
    'amounts of a route are decimal text, to keep every digit',
    routing((route) => {
      for (const field of ['amountIn', 'amountOut', 'minimumReceived']) route[field] = String(route[field])
    }),
  ),
  defect(
    'amounts.fee-transfer-in-human-units',
    'amounts.base-unit-strings',
    'feeTransfer.amountRaw is written in whole tokens',
    showing('build', (body) => {
      if (body.feeTransfer) body.feeTransfer.amountRaw = String(Number(body.feeTransfer.amountRaw) / 1e6)
    }),
  ),
  defect(
    'amounts.service-takes-a-bp',
    'fees.service-charges-nothing',
    'a swap without a partner fee pays 1 bps to the fee wallet',
    ordering((order, { deps, engine }) =>
      order.feeRaw > 0n || engine === 'venue_c' || engine === 'venue_d'
        ? order
        : {
            ...order,
            feeRaw: order.amountInRaw / 10_000n,
            feeRecipient: deps.manifest.feeWallet as `0x${string}`,
          },
    ),
  ),
  defect(
    'amounts.dust-kept-back',
    'fees.only-partner',
    'the settlement takes only a multiple of 100 base units of the input, and the rest is left to the user',
    ordering((order, { engine }) =>
      engine === 'venue_c' || engine === 'venue_d'
        ? order
        : { ...order, amountInRaw: order.amountInRaw - (order.amountInRaw % 100n) - 100n },
    ),
  ),
]
