import { demand } from '../../src/runner/demand.ts'
import type { Property } from '../../src/runner/propertyFamily.ts'
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
  needs: Pick<Property<SeenBuilds>, 'capabilities'> = {},
): Property<SeenBuilds> {
  return {
    id,
    title,
    requirements,
    ...needs,
    holds: ({ builds }) => builds.reduce((questions, seen) => questions + judged(seen), 0),
  }
}

/** That none of these requirements fails, in what was said before the execution or seen in it. */
export function said(
  id: string,
  title: string,
  requirements: readonly [RequirementId, ...RequirementId[]],
  {
    of = 'answer',
    ...needs
  }: { readonly of?: 'answer' | 'execution' } & Pick<Property<SeenBuilds>, 'capabilities'> = {},
): Property<SeenBuilds> {
  const own: ReadonlySet<RequirementId> = new Set(requirements)
  const judged = (seen: SeenBuild): number => {
    // Of a token that takes a fee on transfer less arrives than was sent, whoever sends it.
    const executed = isUnmodelled(seen.ask) ? [] : (seen.execution?.verdicts ?? [])
    const verdicts = of === 'answer' ? seen.verdicts : executed
    const mine = verdicts.filter(({ requirement }) => own.has(requirement))
    demand(mine, seen.build?.engine)
    return mine.some(({ outcome }) => outcome === 'pass') ? 1 : 0
  }
  return each(id, title, requirements, judged, needs)
}
