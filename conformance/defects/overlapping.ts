import { type Defect, defect, defectTable } from '../../src/runner/proof/defect.ts'
import type { ServiceDeps, ServiceSeams, SwapRequest } from '../../src/service/testing.ts'
import { roundTrip } from './helpers/ports.ts'
import { changeBuild, changeReport } from './helpers/rules.ts'
import { answerOf, isFor, wrapService } from './helpers/wire.ts'

/** Returns a variable that is read a round trip after it was written, so that overlapping requests overwrite it. */
function sharedPlace<Value>(deps: ServiceDeps): (own: Value) => Promise<Value> {
  let last: Value
  return async (own) => {
    last = own
    await roundTrip(deps)
    return last
  }
}

/** Returns a service that keeps a field of a build in a variable shared by all requests. */
const shared = (field: keyof SwapRequest): ServiceSeams =>
  changeBuild((build, deps) => {
    const lastOf = sharedPlace<SwapRequest>(deps)
    return async (request, ...rest) => build({ ...request, [field]: (await lastOf(request))[field] }, ...rest)
  })

/** Services that fail only if requests overlap: data of one gets into another. */
export const overlappingDefects: readonly Defect[] = [
  ...defectTable(shared, {
    'overlapping.sender': ['build.sender.submits', 'builds at once are all for the last sender', 'sender'],
    'overlapping.fee': ['fees.partner.echo', 'builds at once all have the last fee', 'partnerFeeBps'],
    'overlapping.recipient': [
      'fees.recipient.echo',
      'builds at once all pay the last recipient of a fee',
      'partnerFeeRecipient',
    ],
  }),
  defect(
    'overlapping.key',
    'confirm.recorded',
    'builds at once all belong to the last key',
    changeBuild((build, deps) => {
      const lastOf = sharedPlace<Parameters<typeof build>[1]>(deps)
      return async (request, caller, ...rest) => build(request, await lastOf(caller), ...rest)
    }),
  ),
  defect(
    'overlapping.report',
    'partner-report.per-key',
    'partner reports at once are all of the last key',
    changeReport((report, deps) => {
      const lastOf = sharedPlace<Parameters<typeof report>[0]>(deps)
      return async (caller) => report(await lastOf(caller))
    }),
  ),
  defect(
    'overlapping.refusal',
    'build.returns-transaction',
    'a build that is refused is the end of all that are under way with it',
    wrapService((inject) => {
      let underWay = { count: 0, isRefused: false }
      return async (request) => {
        if (!isFor('build', request)) return inject(request)
        const group = underWay
        group.count += 1
        const answer = await inject(request)
        group.count -= 1
        group.isRefused ||= answer.statusCode !== 200
        if (group.count === 0) underWay = { count: 0, isRefused: false }
        return group.isRefused && answer.statusCode === 200
          ? answerOf(502, { error: 'build failed' })
          : answer
      }
    }),
  ),
]
