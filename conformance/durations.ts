import { parametersOf } from '../src/oracles/index.ts'
import type { Case } from '../src/runner/cases/case.ts'
import type { LineFaultKind } from '../src/simulation/faults/faults.ts'
import { LIMITS } from '../src/spec/limits.ts'
import type { RequirementId } from '../src/spec/requirements/index.ts'
import type { Answer } from '../src/targets/environment/client.ts'
import type { Environment } from '../src/targets/environment/environment.ts'
import { assume, responseText } from './support/expect.ts'
import { POOLS_UNKNOWN, sendBuild, sendQuote } from './support/judged.ts'
import { bodyFor, EVERYWHERE } from './support/swaps.ts'

/** Silence of the chain or of one venue: one behind the settlement contract, and one called directly. */
const HANGS: readonly { readonly silent: string; readonly who: string; readonly how: LineFaultKind }[] = [
  { silent: 'chain', who: 'the chain', how: 'hanging' },
  { silent: 'venue_a', who: 'venue_a', how: 'hanging-venue_a' },
  { silent: 'venue_c', who: 'venue_c', how: 'hanging-venue_c' },
]

/** Approximate time that services take on a silent chain, in seconds. */
export const SILENCE_S = 10

interface Endpoint {
  readonly name: 'quote' | 'build'
  readonly requirement: RequirementId
  readonly limitMs: number
  /** Sends a request whose duration is judged. `turn` makes it one that no memo can answer. */
  send(environment: Environment, turn: number, onResponse: () => Promise<void>): Promise<Answer>
}

const ENDPOINTS: readonly Endpoint[] = [
  {
    name: 'quote',
    requirement: 'limits.quote-duration',
    limitMs: LIMITS.quoteBudgetMs,
    send: async (environment, turn, onResponse) => {
      const query = { ...parametersOf(environment.manifest, EVERYWHERE), slippageBps: 721 + turn }
      const options = { known: POOLS_UNKNOWN, hanging: true, onResponse }
      return (await sendQuote(environment, query, { mustBe: 'anything' }, options)).answer
    },
  },
  {
    name: 'build',
    requirement: 'limits.build-duration',
    limitMs: LIMITS.buildBudgetMs,
    send: async (environment, turn, onResponse) => {
      const body = { ...bodyFor(environment, 'alice', EVERYWHERE), slippageBps: 721 + turn }
      const options = { known: POOLS_UNKNOWN, hanging: true, onResponse }
      return (await sendBuild(environment, body, { mustBe: 'anything' }, options)).answer
    },
  },
]

/** §8: limits on the duration of a response, regardless of the chain. Other cases judge the response itself. */
export const durationCases: readonly Case<'control' | 'line'>[] = ENDPOINTS.flatMap(
  ({ name, requirement, limitMs, send }) =>
    HANGS.map(({ silent, who, how }, turn) => ({
      id: `${name}.duration.${silent}-silent`,
      title: `a ${name} returns within ${limitMs / 1000} s although ${who} never responds`,
      requirements: [requirement],
      uses: ['control', 'line'],
      waitsS: SILENCE_S,
      waitsUnder: how,
      run: async (environment) => {
        const { line } = environment
        await line.inject(how)
        const requestedAtMs = environment.clock.nowMs()
        let tookMs = 0
        const seen = responseText(
          await send(environment, turn, async () => {
            tookMs = environment.clock.nowMs() - requestedAtMs
            await line.restore()
          }),
        )
        // No time passed, so nothing hung: the service read the chain elsewhere or responded from memory.
        assume(tookMs > 0, `the response did not depend on the chain that was ${how}: ${seen}`)
        return { exercised: 1, notes: [`${how}: ${seen.slice(0, 60)}`] }
      },
    })),
)
