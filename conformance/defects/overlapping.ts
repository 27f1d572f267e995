import { type Defect, defect, defectTable } from '../../src/runner/proof/defect.ts'
import type { ServiceDeps, ServiceSeams, SwapRequest } from '../../src/service/testing.ts'
import { changeBuild, changeRules } from './helpers/rules.ts'
import { answerOf, isFor, wrapService } from './helpers/wire.ts'

/** Takes as long as a round trip: whatever came at the same moment is under way by then. */
const meanwhile = ({ chain, policy }: ServiceDeps) =>
  chain.send([{ method: 'eth_blockNumber', params: [] }], { timeoutMs: policy.rpcTimeoutMs })

/** Returns a service that keeps a field of a build where the next request overwrites it. */
const shared = (field: keyof SwapRequest): ServiceSeams =>
  changeBuild((build, deps) => {
    let last: SwapRequest
    return async (request, ...rest) => {
      last = request
      await meanwhile(deps)
      return build({ ...request, [field]: last[field] }, ...rest)
    }
  })

/** Services that are right unless requests overlap: what one is about gets into another. */
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
      let last: Parameters<typeof build>[1]
      return async (request, caller, ...rest) => {
        last = caller
        await meanwhile(deps)
        return build(request, last, ...rest)
      }
    }),
  ),
  defect(
    'overlapping.report',
    'partner-report.per-key',
    'partner reports at once are all of the last key',
    changeRules(({ partners }, deps) => {
      let last: Parameters<typeof partners.report>[0]
      return {
        partners: {
          authenticate: (authorization) => partners.authenticate(authorization),
          report: async (caller) => {
            last = caller
            await meanwhile(deps)
            return partners.report(last)
          },
        },
      }
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
