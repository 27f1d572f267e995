import type { Defect } from '../../conformance/defects/defect.ts'
import { ordering, ruling } from '../../conformance/defects/making/rules.ts'
import { showing } from '../../conformance/defects/making/wire.ts'
import { CANONICAL } from '../../src/fixtures/canonical.ts'
import type { ServiceSeams } from '../../src/service/testing.ts'

/** Nobody's: no key of the world opens it. */
const NOBODY = '0x000000000000000000000000000000000000dEaD'

/** Another payee in calldata that names one: the last argument. Too late for the service's own simulation to see it. */
function payingInstead(payee: string): ServiceSeams {
  return showing('build', (body) => {
    if (body.engine !== 'venue_c' && body.engine !== 'venue_d') return body
    body.tx.data = `${body.tx.data.slice(0, -40)}${payee.slice(2).toLowerCase()}`
    return body
  })
}

/** Mistakes that only everybody's balances show, and what a refused request leaves behind. */
export const buildingDefects: readonly Defect[] = [
  {
    id: 'property.direct-venues-pay-nobody',
    title: 'Venues that are called directly are told to pay an address of nobody.',
    breaks: 'fees.only-partner',
    seams: payingInstead(NOBODY),
  },
  {
    id: 'property.fee-burnt',
    title: 'The fee inside a swap goes to an address of nobody.',
    breaks: 'build.fee-inside-tx',
    seams: ordering((order) => (order.feeRecipient === null ? order : { ...order, feeRecipient: NOBODY })),
  },
  {
    id: 'property.fee-stays-in-the-settlement',
    title: 'The fee inside a swap is paid to the settlement contract, where it stays.',
    breaks: 'build.fee-inside-tx',
    seams: ordering((order, { deps }) =>
      order.feeRecipient === null ? order : { ...order, feeRecipient: deps.manifest.settlement.address },
    ),
  },
  {
    id: 'property.output-stays-in-permit2',
    title: 'Venues that are called directly are told to pay Permit2.',
    breaks: 'build.returns-transaction',
    seams: payingInstead(CANONICAL.permit2),
  },
  {
    id: 'property.quotes-are-saved',
    title: 'Every quote is saved as a build that nobody made.',
    breaks: 'quote.builds-nothing',
    seams: ruling((domain, deps) => ({
      quoter: {
        quote: async (request, caller) => {
          const answer = await domain.quoter.quote(request, caller)
          await deps.store.insertBuild({
            buildId: deps.ids.uuid(),
            keyId: caller.keyId,
            partnerId: caller.partnerId,
            venue: 'venue_a',
            chainId: 4663,
            sender: NOBODY,
            target: NOBODY,
            calldata: '0x',
            valueRaw: 0n,
            createdAtMs: deps.clock.nowMs(),
            validUntilMs: deps.clock.nowMs(),
            tokenIn: NOBODY,
            tokenOut: NOBODY,
            amountInRaw: 1n,
            minimumOutRaw: 1n,
            notionalUsdMicros: null,
          })
          return answer
        },
      },
    })),
  },
  {
    id: 'property.refused-reports-revoke',
    title: 'A report of an unknown build revokes a key, as if it were stolen.',
    breaks: 'confirm.build-not-found',
    seams: ruling((domain, deps) => ({
      confirmer: {
        confirm: (request, caller) =>
          domain.confirmer.confirm(request, caller).catch(async (error: unknown) => {
            await deps.store.revokeKey('key-legacy', deps.clock.nowMs())
            throw error
          }),
      },
    })),
  },
]
