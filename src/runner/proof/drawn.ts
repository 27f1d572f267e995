import type { Exchange } from '../../spec/exchange.ts'
import type { Case } from '../cases/case.ts'
import type { Defect } from './defect.ts'
import { type ProofWorlds, type Reference, runAgainst } from './runCase.ts'
import { brokenIn } from './trial.ts'

/** A broken service that nobody wrote down. */
export interface DrawnDefect extends Defect {
  /** Returns whether the fault would show in these exchanges of a case with the reference. */
  readonly showsIn: (exchanges: readonly Exchange[]) => boolean
}

/** Describes how a drawn defect ended. */
export interface DrawnTrial {
  readonly id: string
  readonly title: string
  readonly breaks: string
  /** The first case that failed, and the requirement that it named first; null: the defect survived. */
  readonly killedBy: { readonly case: string; readonly requirement: string } | null
  /** How many cases the fault shows in. None: the suite never meets its conditions. */
  readonly shownIn: number
}

/**
 * Runs each drawn defect against the cases that its fault shows in, those that list its requirement and send the least
 * first, until one fails for any requirement.
 */
export async function tryDrawn(
  defects: readonly DrawnDefect[],
  cases: readonly Case[],
  reference: Reference,
  worlds: ProofWorlds,
  onTrial: (trial: DrawnTrial) => void,
): Promise<readonly DrawnTrial[]> {
  if (defects.length === 0) return []
  const known = await worlds.each(cases, async (world, one) => ({
    one,
    exchanges: (await reference.of(world, one)).exchanges,
  }))
  return worlds.each(defects, async (world, defect) => {
    const own = ({ one }: (typeof known)[number]) => (one.requirements.includes(defect.breaks) ? 0 : 1)
    const shown = known
      .filter(({ exchanges }) => defect.showsIn(exchanges))
      .toSorted((a, b) => own(a) - own(b) || a.exchanges.length - b.exchanges.length)
    const { id, title, breaks } = defect
    let killedBy: DrawnTrial['killedBy'] = null
    for (const { one } of shown) {
      const result = await runAgainst(world, one, defect.seams)
      if (result.status !== 'fail') continue
      killedBy = { case: one.id, requirement: brokenIn(result)[0] ?? '' }
      break
    }
    const trial = { id, title, breaks, killedBy, shownIn: shown.length }
    onTrial(trial)
    return trial
  })
}
