import { BALANCE_RULES, type Verdict } from '../../src/oracles/index.ts'
import { demand } from '../../src/runner/demand.ts'
import type { Property } from '../../src/runner/family.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import type { ObservedBuild } from './observed.ts'

export interface ObservedBuilds {
  readonly builds: readonly ObservedBuild[]
}

/** A sentence about every build by itself. `judged` answers how often it put its question: 0 or 1. */
export function each(
  id: string,
  title: string,
  requirements: readonly [RequirementId, ...RequirementId[]],
  judged: (seen: ObservedBuild) => number,
  needs: Pick<Property<ObservedBuilds>, 'capabilities'> = {},
): Property<ObservedBuilds> {
  return {
    id,
    title,
    requirements,
    ...needs,
    holds: ({ builds }) => builds.reduce((questions, seen) => questions + judged(seen), 0),
  }
}

/** Which verdicts a property is about. */
interface Scope extends Pick<Property<ObservedBuilds>, 'capabilities'> {
  /** The response, or what became of the build on the chain. Default: the response. */
  readonly of?: 'answer' | 'execution'
  /** Of the verdicts on everybody's balances those of one rule; default: none of them. */
  readonly rule?: (typeof BALANCE_RULES)[keyof typeof BALANCE_RULES]
}

const RULES: ReadonlySet<string> = new Set(Object.values(BALANCE_RULES))

/** That none of these requirements fails, in the judgement of the response or of the execution. */
export function said(
  id: string,
  title: string,
  requirements: readonly [RequirementId, ...RequirementId[]],
  { of = 'answer', rule, ...needs }: Scope = {},
): Property<ObservedBuilds> {
  const own: ReadonlySet<RequirementId> = new Set(requirements)
  const isMeant = ({ requirement, boundaryClasses = [] }: Verdict) =>
    own.has(requirement) &&
    (rule === undefined ? !boundaryClasses.some((each) => RULES.has(each)) : boundaryClasses.includes(rule))
  const judged = (seen: ObservedBuild): number => {
    const verdicts = of === 'answer' ? seen.verdicts : (seen.execution?.verdicts ?? [])
    const mine = verdicts.filter(isMeant)
    demand(mine, seen.build?.engine)
    return mine.some(({ outcome }) => outcome === 'pass') ? 1 : 0
  }
  return each(id, title, requirements, judged, needs)
}
