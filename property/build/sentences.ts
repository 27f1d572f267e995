import { demand } from '../../src/harness/judgeSwap.ts'
import type { Property } from '../../src/harness/propertyFamily.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { isUnmodelled } from '../quote/seen.ts'
import type { SeenBuild } from './seen.ts'

export interface SeenBuilds {
  readonly builds: readonly SeenBuild[]
}

/** A sentence about every build by itself. `judged` answers how often it put its question: 0 or 1. */
export function each(
  id: string,
  title: string,
  requirements: readonly [RequirementId, ...RequirementId[]],
  judged: (seen: SeenBuild) => number,
): Property<SeenBuilds> {
  return {
    id,
    title,
    requirements,
    holds: ({ builds }) => builds.reduce((questions, seen) => questions + judged(seen), 0),
  }
}

/** That none of these requirements fails, in what was said before the execution or seen in it. */
export function said(
  id: string,
  title: string,
  requirements: readonly [RequirementId, ...RequirementId[]],
  of: 'answer' | 'execution' = 'answer',
): Property<SeenBuilds> {
  const own: ReadonlySet<RequirementId> = new Set(requirements)
  return each(id, title, requirements, (seen) => {
    // Of a token that takes a fee on transfer less arrives than was sent, whoever sends it.
    const executed = isUnmodelled(seen.ask) ? [] : (seen.execution?.verdicts ?? [])
    const verdicts = of === 'answer' ? seen.verdicts : executed
    const mine = verdicts.filter(({ requirement }) => own.has(requirement))
    demand(mine, seen.build?.engine)
    return mine.some(({ outcome }) => outcome === 'pass') ? 1 : 0
  })
}
