import { PARTNER_KEYS } from '../../../src/fixtures/partners.ts'
import { around, type InjectedAnswer, type ServiceSeams } from '../../../src/service/testing.ts'
import { changePolicy } from './ports.ts'
import { answerOf, isFor } from './wire.ts'

/** A budget: the requests that count, the owner that they count for, and the limit. */
interface OtherBudget {
  readonly reports: number
  readonly windowS: number
  readonly of: 'partnerId' | 'keyId'
  /** Default: every report counts. */
  readonly counts?: (answer: InjectedAnswer) => boolean
  /** True if a 429 carries Retry-After. Default: true. */
  readonly saysWhen?: boolean
}

/** Returns the service with another budget, whose window begins with the first report that counts. */
export function budgetOf({
  reports,
  windowS,
  of,
  counts = () => true,
  saysWhen = true,
}: OtherBudget): ServiceSeams {
  const none = changePolicy({ budget: { requests: 1_000_000, windowMs: 1_000 } })
  return around(none, {
    wire: (service, { clock }) => {
      const spent = new Map<string, { readonly untilMs: number; count: number }>()
      return {
        close: () => service.close(),
        inject: async (request) => {
          const key = Object.values(PARTNER_KEYS).find(
            ({ secret }) => request.headers.authorization === `Bearer ${secret}`,
          )
          if (!isFor('confirm', request) || key === undefined) return service.inject(request)
          const nowMs = clock.nowMs()
          const known = spent.get(key[of])
          const mine =
            known === undefined || known.untilMs <= nowMs
              ? { untilMs: nowMs + windowS * 1_000, count: 0 }
              : known
          spent.set(key[of], mine)
          const waitS = Math.ceil((mine.untilMs - nowMs) / 1_000)
          const headers = saysWhen ? { 'retry-after': `${waitS}` } : {}
          if (mine.count >= reports) return answerOf(429, { error: 'too many reports' }, headers)
          const answer = await service.inject(request)
          if (counts(answer)) mine.count += 1
          return answer
        },
      }
    },
  })
}
