import { select } from '../runner/plan.ts'
import { crossMistakes } from '../runner/proof/mistakes.ts'
import { spread } from '../runner/proof/orders.ts'
import type { ProofRequest } from '../runner/proof/prove.ts'
import { scenarioCases } from '../runner/scenarioCases.ts'
import { allRequirements, isJudged } from '../spec/requirements/index.ts'
import { type ProveOptions, SHUFFLED_DEFECTS } from './proveOptions.ts'
import {
  conformanceCases,
  DEFECTS,
  drawnDefects,
  EMPTY_CELLS,
  provableProperties,
  VARIANTS,
} from './suites.ts'

/** What a command line chooses. */
export interface Chosen {
  readonly request: Omit<ProofRequest, 'onStep'>
  /** How many steps it has. */
  readonly total: number
}

/**
 * The proof that a command line describes.
 *
 * @throws {UsageError} a pattern matches nothing: a typing error must not pass as a proof.
 */
export function proofRequest(options: ProveOptions): Chosen {
  const { only = [], without = [], defects: both = false } = options
  const { cases = both, scenarios = both, properties = false, variants = false, shuffle = [] } = options
  const drawn = options.drawn === undefined ? [] : drawnDefects(options.drawn, options.seed)
  const isOther = shuffle.length > 0 || drawn.length > 0
  const everything = !(cases || scenarios || properties || variants || isOther)
  const isShown = {
    cases: everything || cases,
    scenarios: everything || scenarios,
    properties: everything || properties,
  }
  const judged = allRequirements().filter(({ level }) => isJudged(level))
  const expected = Object.entries(provableProperties.expectedKills)
  const chosen = new Set(
    select(
      [
        ...DEFECTS.map(({ id, breaks }) => ({ id, requirements: [breaks] })),
        ...judged.map(({ id }) => ({ id, requirements: [id] })),
        ...VARIANTS.map(({ id }) => ({ id })),
        ...expected.map(([id]) => ({ id })),
        ...drawn.map(({ id }) => ({ id })),
      ],
      only,
      { kind: 'defect, requirement, property or variant' },
    ).map(({ id }) => id),
  )
  const isChosen = ({ id }: { readonly id: string }) => chosen.has(id)
  const [allCases, allScenarios] = [conformanceCases(), scenarioCases()]
  const leftOut = new Set(without.length === 0 ? [] : select([...allCases, ...allScenarios], without))
  const onlyProperties = new Set(
    DEFECTS.filter(({ shownBy }) => shownBy === 'properties').map(({ id }) => id),
  )
  const isWanted = ([id, kills]: (typeof expected)[number]) =>
    chosen.has(id) || kills.some((kill) => chosen.has(kill) && onlyProperties.has(kill))
  const expectedKills = Object.fromEntries(isShown.properties ? expected.filter(isWanted) : [])
  const request = {
    defects: DEFECTS.filter((defect) => isShown[defect.shownBy ?? 'cases'] && isChosen(defect)),
    requirements: isShown.cases ? judged.filter(isChosen) : [],
    cases: allCases.filter((one) => !leftOut.has(one)),
    leftOut: allCases.filter((one) => leftOut.has(one)),
    scenarios: allScenarios.filter((one) => !leftOut.has(one)),
    variants: { chosen: everything || variants ? VARIANTS.filter(isChosen) : [], all: VARIANTS },
    properties: { of: { ...provableProperties, expectedKills }, defects: DEFECTS },
    isWhole: only.length === 0 && isShown.cases && isShown.scenarios,
    full: options.full ?? false,
    everyCase: options.all ?? false,
    orders: { seeds: shuffle, defects: shuffle.length === 0 ? [] : shuffledDefects(only, isChosen) },
    drawn: drawn.filter(isChosen),
    mistakes:
      only.length === 0 && isShown.cases && isShown.scenarios
        ? crossMistakes(allRequirements(), DEFECTS, EMPTY_CELLS)
        : null,
  }
  const killed = new Set(Object.values(expectedKills).flat())
  const { defects, variants: differing, orders } = request
  const other = orders.defects.length + request.drawn.length
  return { request, total: defects.length + differing.chosen.length + killed.size + other }
}

function shuffledDefects(only: readonly string[], isChosen: (one: { readonly id: string }) => boolean) {
  const chosen = DEFECTS.filter(({ shownBy }) => shownBy === undefined).filter(isChosen)
  return only.length > 0 ? chosen : spread(chosen, SHUFFLED_DEFECTS)
}
