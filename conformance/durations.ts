import { parametersOf } from '../src/oracles/swapFacts.ts'
import type { Case } from '../src/runner/case.ts'
import { LIMITS } from '../src/spec/limits.ts'
import type { RequirementId } from '../src/spec/requirements/index.ts'
import type { Environment, LineFaultKind } from '../src/targets/environment.ts'
import { assume, insist, sightOf } from './support/expect.ts'
import { bodyFor, EVERYWHERE } from './support/swaps.ts'

/** Every question to the chain goes unanswered, then those to one venue: of the settlement contract, and on its own. */
const HANGS: readonly LineFaultKind[] = ['hanging', 'hanging-venue_a', 'hanging-venue_c']

interface Endpoint {
  readonly name: 'quote' | 'build'
  readonly requirement: RequirementId
  readonly limitMs: number
  /** `turn` makes each request one that no memo knows. */
  ask(environment: Environment, turn: number): Promise<string>
}

const ENDPOINTS: readonly Endpoint[] = [
  {
    name: 'quote',
    requirement: 'limits.quote-duration',
    limitMs: LIMITS.quoteBudgetMs,
    ask: async (environment, turn) =>
      sightOf(
        await environment
          .client()
          .quote({ ...parametersOf(environment.manifest, EVERYWHERE), slippageBps: 721 + turn }),
      ),
  },
  {
    name: 'build',
    requirement: 'limits.build-duration',
    limitMs: LIMITS.buildBudgetMs,
    ask: async (environment, turn) =>
      sightOf(
        await environment
          .client()
          .build({ ...bodyFor(environment, 'alice', EVERYWHERE), slippageBps: 721 + turn }),
      ),
  },
]

/** §8: how long an answer may take, whatever the chain does. Which answer it is, other cases judge. */
export const durationCases: readonly Case<'control' | 'line'>[] = ENDPOINTS.map(
  ({ name, requirement, limitMs, ask }) => ({
    id: `${name}.duration`,
    title: `a ${name} is answered within ${limitMs / 1000} s though the chain, or one venue, never answers`,
    requirements: [requirement],
    uses: ['control', 'line'],
    run: async (environment) => {
      const { line } = environment
      const notes: string[] = []
      for (const [turn, how] of HANGS.entries()) {
        await line.inject(how)
        const askedAtMs = environment.clock.nowMs()
        const seen = await ask(environment, turn)
        const tookMs = environment.clock.nowMs() - askedAtMs
        await line.restore()
        insist(
          requirement,
          tookMs <= limitMs,
          `an answer within ${limitMs} ms, ${how}`,
          `${tookMs} ms: ${seen}`,
        )
        // Nobody waited, so nothing hung: the service asked the chain elsewhere, or answered from what it remembered.
        assume(tookMs > 0, `the answer did not depend on the chain that was ${how}: ${seen}`)
        notes.push(`${how}: ${seen.slice(0, 60)}`)
      }
      return { exercised: HANGS.length, notes }
    },
  }),
)
