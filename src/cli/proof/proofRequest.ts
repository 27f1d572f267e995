import { select } from '../../runner/plan/plan.ts'
import type { ProofRequest } from '../../runner/proof/suite.ts'
import { scenarioCases } from '../../runner/scenarios/scenarioCases.ts'
import { allRequirements, isJudged } from '../../spec/requirements/index.ts'
import type { RunOptions } from '../run/options.ts'
import { DEFECTS, drawnDefects, KILLS, provableProperties, VARIANTS } from '../suites/brokenServices.ts'
import { clientSuite } from '../suites/clientSuite.ts'
import { conformanceSuite } from '../suites/conformanceSuite.ts'

/**
 * Returns the proof that a command line describes.
 *
 * @throws {UsageError} a pattern matches nothing: a typo must not pass as a proof.
 */
export function proofRequest(options: ProveOptions): ProofRequest {
  const { only = [], without = [], defects: both = false } = options
  const { cases = both, scenarios = both, properties = false, variants = false } = options
  const drawn = options.drawn === undefined ? [] : drawnDefects(options.drawn, options.seed)
  const everything = !(cases || scenarios || properties || variants || drawn.length > 0)
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
  const [allCases, allScenarios] = [
    [...conformanceSuite.cases(null), ...clientSuite.cases(null)],
    scenarioCases(),
  ]
  const leftOut = new Set(without.length === 0 ? [] : select([...allCases, ...allScenarios], without))
  const onlyProperties = new Set(
    DEFECTS.filter(({ shownBy }) => shownBy === 'properties').map(({ id }) => id),
  )
  const isWanted = ([id, kills]: (typeof expected)[number]) =>
    chosen.has(id) || kills.some((kill) => chosen.has(kill) && onlyProperties.has(kill))
  const expectedKills = Object.fromEntries(isShown.properties ? expected.filter(isWanted) : [])
  return {
    defects: DEFECTS.filter((defect) => isShown[defect.shownBy ?? 'cases'] && isChosen(defect)),
    requirements: isShown.cases ? judged.filter(isChosen) : [],
    cases: allCases.filter((one) => !leftOut.has(one)),
    leftOut: allCases.filter((one) => leftOut.has(one)),
    scenarios: allScenarios.filter((one) => !leftOut.has(one)),
    variants: everything || variants ? VARIANTS.filter(isChosen) : [],
    properties: { of: { ...provableProperties, expectedKills }, defects: DEFECTS },
    isWhole: only.length === 0 && isShown.cases && isShown.scenarios,
    known: KILLS,
    full: options.full ?? false,
    drawn: drawn.filter(isChosen),
  }
}

/** The options of `plumbline prove`. Plain data, so that they can be sent to a worker. */
export interface ProveOptions extends Pick<RunOptions, 'only' | 'seed' | 'json' | 'quiet'> {
  readonly without?: string[]
  readonly cases?: boolean
  readonly scenarios?: boolean
  readonly properties?: boolean
  readonly variants?: boolean
  readonly defects?: boolean
  readonly full?: boolean
  readonly drawn?: number
  readonly out: string
}
