import type { Case } from '../src/runner/cases/case.ts'
import type { KeptFailure } from '../src/runner/families/failures.ts'
import type { AnyFamily, Budget } from '../src/runner/families/family.ts'
import {
  type FamilyChoice,
  type FamilyRun,
  type LabelCounts,
  runFamily,
} from '../src/runner/families/runFamily.ts'
import type { Counterexample } from '../src/runner/families/runFamilyCase.ts'
import type { Exchange } from '../src/spec/exchange.ts'
import { PromiseBrokenError } from '../src/targets/blame.ts'
import { type Environment, has, type With } from '../src/targets/environment/environment.ts'
import type { InProcessEnvironment } from '../src/targets/environment/inProcess.ts'
import { recordJudged } from '../src/targets/evidence/evidence.ts'
import { builds } from './build/family.ts'
import { histories } from './history/family.ts'
import { chainHistories } from './history/onChain.ts'
import { inputs } from './input/family.ts'
import { largeInterleavings, smallInterleavings } from './interleaving/family.ts'
import { memos } from './memo/family.ts'
import { openQuotes } from './open/quotes.ts'
import { quotes } from './quote/family.ts'
import { relations } from './relation/family.ts'

/** The environment that every family needs. */
type OutsideEnvironment = With<'fresh' | 'control'>

/** Families whose cases run against any service with a controllable chain. */
const OUTSIDE = [
  quotes,
  builds,
  relations,
  memos,
  inputs,
  chainHistories,
] as readonly AnyFamily<OutsideEnvironment>[]
/** Families that replace them where the chain cannot be controlled. */
const OPEN: readonly AnyFamily<OutsideEnvironment>[] = [openQuotes, inputs]
const INSIDE: readonly AnyFamily<InProcessEnvironment>[] = [histories, smallInterleavings, largeInterleavings]

/** Maximum number of smaller cases run in real time. */
const LIVE_SHRINK_TRIES = 60
/** Number of cases of malformed requests where requests are limited. */
const OPEN_INPUT_CASES = 3
/** Properties that need a controllable chain in every family. */
const NOT_OPEN: ReadonlySet<string> = new Set(['input.never-changes-state'])

export interface PropertyCaseOptions {
  /** Determines every case. */
  readonly seed: number
  readonly budget: Budget
  /** Number of cases generated for each family, instead of that of the budget. */
  readonly cases?: number
  /** Earlier counterexamples, which are run first. */
  readonly failures?: readonly KeptFailure[]
  /** Ids of the properties to run; default: all. */
  readonly only?: ReadonlySet<string>
  /** True if requests are counted among the classes of the cases; in this process only. Default: false. */
  readonly countsRequests?: boolean
}

/**
 * Returns every property as a case, for any target. The properties of a family judge the same cases, which the first property
 * runs for all. A counterexample is run again for the property it violates, so that the failure shows the exchanges of the
 * minimal case.
 */
export function propertyCases(options: PropertyCaseOptions): readonly Case[] {
  const runs: Runs = new Map()
  const openIds = new Set(OPEN.flatMap(({ properties }) => properties.map(({ id }) => id)))
  const families = ([...OUTSIDE, ...INSIDE] as readonly SomeFamily[]).map((family) =>
    family.properties
      .filter(({ id }) => options.only?.has(id) ?? true)
      .map((property): Case => {
        const inside = property.inside ?? family.inside
        return {
          id: property.id,
          title: property.title,
          requirements: property.requirements,
          group: family.id,
          uses:
            inside !== undefined
              ? ['inside', 'control', 'fresh']
              : openIds.has(property.id) && !NOT_OPEN.has(property.id)
                ? ['fresh']
                : ['control', 'fresh'],
          ...(property.capabilities === undefined ? {} : { capabilities: property.capabilities }),
          ...(inside === undefined ? {} : { reason: inside }),
          run: (environment) => judge(environment, family, property.id, options, runs),
        }
      }),
  )
  return inTurns(families)
}

/** Returns the first item of each list, then the second of each, so that targets with several lanes start every family early. */
function inTurns<Item>(lists: readonly (readonly Item[])[]): readonly Item[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, turn) =>
    lists.flatMap((list) => list.slice(turn, turn + 1)),
  ).flat()
}

type Runs = Map<string, Promise<FamilyRun>>

/** Returns the family that judges a property: its replacement where the chain cannot be controlled. */
function familyAt(environment: Environment, id: string, family: SomeFamily): SomeFamily {
  if (has(environment, 'control')) return family
  return (OPEN.find(({ properties }) => properties.some((each) => each.id === id)) ?? family) as SomeFamily
}

type SomeFamily = AnyFamily<InProcessEnvironment>

async function judge(
  environment: InProcessEnvironment,
  whole: SomeFamily,
  id: string,
  options: PropertyCaseOptions,
  runs: Runs,
) {
  const family = familyAt(environment, id, whole)
  const chosen = optionsFor(family, environment, options)
  const running = runs.get(family.id) ?? runFamily(family, environment, chosen)
  runs.set(family.id, running)
  const { cases, labels, properties } = await running
  const outcome = properties.find((each) => each.id === id)
  const found = outcome?.counterexample
  if (found) throw await shown(family, environment, chosen, found)
  recordJudged(outcome?.judged ?? [])
  return {
    exercised: outcome?.exercised ?? 0,
    notes: [`cases: ${cases}`, ...[...labels].map(([label, count]) => `${label}: ${count}`)],
  }
}

/** Returns the number of requests of each kind in a transcript, by label. */
function requestsIn(transcript: readonly Exchange[]): LabelCounts {
  const count = (start: string) => transcript.filter(({ request }) => request.path.startsWith(start)).length
  return [
    ['in all: quotes', count('/api/v1/quote')],
    ['in all: builds', count('/api/v1/swap/build')],
    ['in all: confirms', count('/api/v1/swap/confirm')],
  ]
}

function optionsFor(
  { id, properties, inside }: SomeFamily,
  environment: Environment,
  { seed, budget, cases, only, failures, countsRequests }: PropertyCaseOptions,
): FamilyChoice {
  const isInside = environment.inside !== null
  const mine = properties.filter((each) => isInside || (each.inside ?? inside) === undefined)
  const closed = environment.control === null
  return {
    seed,
    budget,
    only: new Set(mine.map((each) => each.id).filter((each) => only?.has(each) ?? true)),
    ...(cases === undefined ? {} : { cases }),
    ...(failures === undefined ? {} : { failures }),
    ...(countsRequests ? { countsOf: () => requestsIn(environment.transcript) } : {}),
    ...(isInside ? {} : { shrinkTriesMax: LIVE_SHRINK_TRIES }),
    ...(closed && id === 'input' ? { cases: OPEN_INPUT_CASES, shrinkTriesMax: 12 } : {}),
  }
}

/** Runs the minimal case again, and returns the error that the case of this property ends with. */
async function shown(
  family: SomeFamily,
  environment: InProcessEnvironment,
  options: FamilyChoice,
  counterexample: Counterexample,
): Promise<PromiseBrokenError> {
  const { seed } = options
  const { property, requirement, expected, actual, others, input } = counterexample
  const { generated, file, tries, exhausted, irrelevant } = counterexample
  const failures = [{ property, requirement, expected, actual, seed, case: input, file: '' }]
  const only = new Set([property])
  const again = await runFamily(family, environment, { ...options, only, failures, cases: 0, shrink: false })
  const notes = [
    generated === null
      ? `a kept failure: ${file}`
      : `seed ${seed}, case ${generated + 1}; ${tries} smaller cases run${exhausted ? ', which is the limit' : ''}`,
    `minimal counterexample: ${JSON.stringify(input)}`,
    ...(irrelevant.length === 0 ? [] : [`irrelevant: ${irrelevant.join(', ')}`]),
    ...(again.properties[0]?.counterexample ? [] : ['flaky: run once more, the same case passed']),
  ]
  return new PromiseBrokenError(requirement, expected, actual, { notes, counterexample: input, others })
}
