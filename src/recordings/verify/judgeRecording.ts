import { judgeDistinctBuildIds } from '../../oracles/attribution.ts'
import type { Verdict } from '../../oracles/verdict.ts'
import { judgeReports } from '../../simulation/judgeReports.ts'
import { judgeTotals } from '../../simulation/judgeTotals.ts'
import type { RecordedVerdict } from '../format/schemaVerdict.ts'
import { type DraftOf, type Drafts, positioned } from '../replay/drafts.ts'
import { judgeExchange } from './judgeExchange.ts'
import type { History } from './recordedReports.ts'

/**
 * Judges everything that was recorded: each quote and build by itself, then all reports and totals together.
 *
 * @param history the reports, the builds that they are for, and the totals that keys were told.
 */
export function judgeRecording(entries: Drafts, history: History): DraftOf<'verdicts'>[] {
  const world = positioned(entries, 'genesis')[0]?.[1].world
  if (world === undefined) return []
  const ofExchanges = positioned(entries, 'http').flatMap(([, http]): DraftOf<'verdicts'>[] => {
    const verdicts = judgeExchange(http, world)
    return verdicts.length === 0 ? [] : [{ kind: 'verdicts', http: http.id, verdicts: verdicts.map(brief) }]
  })
  const together = [
    // Of a single build there is nothing to tell apart.
    ...(history.builds.size > 1 ? judgeDistinctBuildIds([...history.builds.keys()]) : []),
    ...judgeReports(history),
    ...judgeTotals(history),
  ]
  return [...ofExchanges, { kind: 'verdicts', http: null, verdicts: together.map(brief) }]
}

/** A pass is its requirement; whatever else is said of it stands in the exchange that it is about. */
function brief({ requirement, outcome, expected, seen, note }: Verdict): RecordedVerdict {
  if (outcome === 'pass') return { requirement, outcome, ...(note === undefined ? {} : { note }) }
  return {
    requirement,
    outcome,
    ...(expected === undefined ? {} : { expected }),
    ...(seen === undefined ? {} : { seen }),
    ...(note === undefined ? {} : { note }),
  }
}
