import { type Defect, defect } from '../../src/runner/proof/defect.ts'
import type { Chain, ServiceSeams } from '../../src/service/testing.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { changeBuild, changeRules } from './helpers/rules.ts'
import { answerOf, type Endpoint, isFor } from './helpers/wire.ts'

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

interface AfterOutage {
  readonly endpoint: Endpoint
  readonly breaks: RequirementId
  readonly title: string
  readonly response: ReturnType<typeof answerOf>
  /** Whether one outage spoils all later requests too. */
  readonly lasts?: boolean
}
const AFTER: readonly AfterOutage[] = [
  {
    endpoint: 'build',
    breaks: 'build.upstream-failure',
    title: 'a build is 500',
    response: answerOf(500, { error: 'internal error' }),
  },
  {
    endpoint: 'quote',
    breaks: 'quote.response.shape',
    title: 'every later quote fails',
    response: answerOf(502, { error: 'quote failed' }),
    lasts: true,
  },
  {
    endpoint: 'confirm',
    breaks: 'confirm.unavailable',
    title: 'a report is 202',
    response: answerOf(202, { recorded: false }, { 'retry-after': '5' }),
  },
]

function after(outage: Outage, { endpoint, response, lasts = false }: AfterOutage): ServiceSeams {
  let met: Outage | null = null
  return {
    deps: (deps) => {
      met = null
      const chain = watched(deps.chain, (what) => {
        met = what
      })
      return { ...deps, chain }
    },
    wire: (service) => ({
      close: () => service.close(),
      inject: async (request) => {
        if (!lasts) met = null
        const answer = await service.inject(request)
        return isFor(endpoint, request) && met === outage ? response : answer
      },
    }),
  }
}
const outages = AFTER.flatMap((mistake) =>
  (Object.keys(OUTAGES) as Outage[]).map((outage) =>
    defect(
      `narrow.${mistake.endpoint}.outage.${outage}`,
      mistake.breaks,
      `${mistake.title} when ${OUTAGES[outage]}`,
      after(outage, mistake),
    ),
  ),
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
