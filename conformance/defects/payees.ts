import { CANONICAL } from '../../src/fixtures/canonical.ts'
import { type Defect, defectTable } from '../../src/runner/proof/defect.ts'
import { changeOrder, changeRules } from './helpers/rules.ts'
import { isDirect } from './helpers/values.ts'
import { changeBody } from './helpers/wire.ts'

/** An address without a key in this world. */
const NOBODY = '0x000000000000000000000000000000000000dEaD'

/** Replaces the payee in calldata whose last argument is one, after the service's own simulation. */
const payingInstead = (payee: string) =>
  changeBody('build', ({ engine, tx }) => {
    if (isDirect(engine)) tx.data = `${tx.data.slice(0, -40)}${payee.slice(2).toLowerCase()}`
  })

/** Mistakes that show only in the sum of all balances, or in the traces of a refused request. */
export const payeeDefects: readonly Defect[] = [
  ...defectTable(payingInstead, {
    'property.direct-venues-pay-nobody': [
      'fees.only-partner',
      'venues that are called directly pay an address that nobody owns',
      NOBODY,
    ],
    'property.output-stays-in-permit2': [
      'build.returns-transaction',
      'venues that are called directly pay the Permit2 contract',
      CANONICAL.permit2,
    ],
  }),
  ...defectTable(changeOrder, {
    'property.fee-burnt': [
      'build.fee-inside-tx',
      'the fee inside a swap goes to an address that nobody owns',
      (order) => (order.feeRecipient === null ? order : { ...order, feeRecipient: NOBODY }),
    ],
    'property.fee-stays-in-the-settlement': [
      'build.fee-inside-tx',
      'the fee inside a swap stays in the settlement contract',
      (order, { deps }) =>
        order.feeRecipient === null ? order : { ...order, feeRecipient: deps.manifest.settlement.address },
    ],
  }),
  ...defectTable(changeRules, {
    'property.quotes-are-saved': [
      'quote.builds-nothing',
      'every quote is stored as a build',
      ({ quote }, { clock, ids, store }) => ({
        quote: async (request, caller) => {
          const answer = await quote(request, caller)
          await store.insertBuild({
            buildId: ids.uuid(),
            keyId: caller.keyId,
            partnerId: caller.partnerId,
            venue: 'venue_a',
            chainId: 4663,
            sender: NOBODY,
            target: NOBODY,
            calldata: '0x',
            valueRaw: 0n,
            createdAtMs: clock.nowMs(),
            validUntilMs: clock.nowMs(),
            tokenIn: NOBODY,
            tokenOut: NOBODY,
            amountInRaw: 1n,
            minimumOutRaw: 1n,
            notionalUsdMicros: null,
          })
          return answer
        },
      }),
    ],
    'property.refused-reports-revoke': [
      'confirm.build-not-found',
      'a report of an unknown build revokes the legacy key',
      ({ confirm }, { clock, store }) => ({
        confirm: (request, caller) =>
          confirm(request, caller).catch(async (error: unknown) => {
            await store.revokeKey('key-legacy', clock.nowMs())
            throw error
          }),
      }),
    ],
  }),
]
