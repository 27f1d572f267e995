import type { World } from '../../simulation/world/world.ts'
import type { Exchange } from '../../spec/exchange.ts'
import type { Case } from '../cases/case.ts'
import type { Defect } from './defect.ts'
import { type Reference, runOn } from './service.ts'
import { brokenIn } from './trial.ts'

/** A generated broken service. */
export interface DrawnDefect extends Defect {
  /** Returns whether the fault would show in these exchanges of a case with the reference. */
  readonly showsIn: (exchanges: readonly Exchange[]) => boolean
}

/** Result of a generated defect. */
export interface DrawnTrial {
  readonly id: string
  readonly title: string
  readonly breaks: string
  /** First case that failed, with the requirement that it named first; null: the defect survived. */
  readonly killedBy: { readonly case: string; readonly requirement: string } | null
  /** Number of cases in which the fault shows. 0: the suite never meets its conditions. */
  readonly shownIn: number
}

/**
 * Runs a generated defect against the cases in which its fault shows, until one fails for any requirement. Cases that list its
 * requirement come first, and among equals those with the fewest requests.
 */
export async function tryDrawn(
  world: World,
  defect: DrawnDefect,
  cases: readonly Case[],
  reference: Reference,
): Promise<DrawnTrial> {
  const known = (await reference.all(world, cases)).map(({ exchanges }, index) => {
    const one = cases[index] as Case
    return { one, exchanges, isOwn: one.requirements.includes(defect.breaks) }
  })
  const shown = known
    .filter(({ exchanges }) => defect.showsIn(exchanges))
    .toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn) || a.exchanges.length - b.exchanges.length)
  const { id, title, breaks } = defect
  for (const { one } of shown) {
    const { result } = await runOn(world, defect, one)
    if (result.status !== 'fail') continue
    const killedBy = { case: one.id, requirement: brokenIn(result)[0] ?? '' }
    return { id, title, breaks, killedBy, shownIn: shown.length }
  }
  return { id, title, breaks, killedBy: null, shownIn: shown.length }
}
