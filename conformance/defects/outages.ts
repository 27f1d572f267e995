import { type Defect, defect } from '../../src/runner/proof/defect.ts'
import { around, type Chain, type InjectedAnswer, type ServiceSeams } from '../../src/service/testing.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { changeBuild, changeRules } from './helpers/rules.ts'
import { answerOf, type Endpoint, isFor, wrapService } from './helpers/wire.ts'

type Outage = 'down' | 'answer-lost' | 'rubbish'
const OUTAGES: Readonly<Record<Outage, string>> = {
  down: 'the connection to the chain is refused',
  'answer-lost': 'the reply of the chain is lost',
  rubbish: 'the chain replies with garbage',
}

/** The chain, with a report of every outage of the connection. A venue that hangs is not one. */
function watched(chain: Chain, onOutage: (outage: Outage) => void): Chain {
  return {
    send: async (calls, options) => {
      try {
        const replies = await chain.send(calls, options)
        if (replies.some((reply) => reply.ok && reply.result === 'rubbish')) onOutage('rubbish')
        return replies
      } catch (error) {
        if (String(error).includes('the answer was lost')) onOutage('answer-lost')
        if (String(error).includes('the line is down')) onOutage('down')
        throw error
      }
    },
  }
}

/** What an endpoint responds after an outage; `lasts`: to every later request too. */
type AfterOutage = readonly [Endpoint, RequirementId, title: string, InjectedAnswer, lasts?: 'lasts']
const PENDING = answerOf(202, { recorded: false }, { 'retry-after': '5' })
const AFTER: readonly AfterOutage[] = [
  ['build', 'build.upstream-failure', 'a build is 500', answerOf(500, { error: 'internal error' })],
  ['quote', 'quote.response.shape', 'every later quote fails', answerOf(502, { error: 'failed' }), 'lasts'],
  ['confirm', 'confirm.unavailable', 'a report is 202', PENDING],
]
const outages = AFTER.flatMap(([endpoint, breaks, title, response, lasts]) =>
  (Object.keys(OUTAGES) as Outage[]).map((outage) => {
    let met: Outage | null = null
    const onOutage = (what: Outage) => {
      met = what
    }
    return defect(
      `narrow.${endpoint}.outage.${outage}`,
      breaks,
      `${title} when ${OUTAGES[outage]}`,
      around(
        { deps: (deps) => ({ ...deps, chain: watched(deps.chain, onOutage) }) },
        wrapService((inject) => {
          met = null
          return async (request) => {
            if (lasts === undefined) met = null
            const answer = await inject(request)
            return isFor(endpoint, request) && met === outage ? response : answer
          }
        }),
      ),
    )
  }),
)

/** Rules that know whether a call to the chain failed since `begin`. */
function withFailures(
  rules: (failures: { begin(): void; readonly some: boolean }) => ServiceSeams,
): ServiceSeams {
  const failures = {
    some: false,
    begin: () => {
      failures.some = false
    },
  }
  return {
    ...rules(failures),
    deps: (deps) => ({
      ...deps,
      chain: {
        send: (calls, options) =>
          deps.chain.send(calls, options).catch((error: unknown) => {
            failures.some = true
            throw error
          }),
      },
    }),
  }
}

/** Mistakes when the connection to the chain fails, wholly or for one venue. */
export const outageDefects: readonly Defect[] = [
  ...outages,
  defect(
    'build.one-silent-venue-500',
    'build.upstream-failure',
    'a build is 500 when one of several venues times out',
    withFailures((failures) =>
      changeBuild((build) => async (request, caller) => {
        failures.begin()
        const built = await build(request, caller)
        if (failures.some) throw new TypeError("Cannot read properties of undefined (changeRequest 'venues')")
        return built
      }),
    ),
  ),
  defect(
    'quote.one-silent-venue-no-price',
    'quote.best-route',
    'the gas price is read together with all venues, so one that times out leaves no venue with a price',
    withFailures((failures) =>
      changeRules(({ quoter }) => ({
        quoter: {
          quote: async (request, caller) => {
            failures.begin()
            const quote = await quoter.quote(request, caller)
            return failures.some ? { ...quote, route: null } : quote
          },
        },
      })),
    ),
  ),
]
