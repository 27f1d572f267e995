import { judgeConfirm, type Verdict } from '../../oracles/index.ts'
import { parseJson } from '../../spec/json.ts'
import { type DraftOf, type Drafts, positioned } from '../format/drafts.ts'
import type { RecordedVerdict } from '../format/schemaVerdict.ts'
import { judgeExchange } from './judgeExchange.ts'
import { BUILD_PATH, type History } from './recordedReports.ts'

/**
 * Judges everything that was recorded: each quote and build by itself, then all reports and totals together.
 *
 * @param history the reports, the builds that they are for, and the totals that the service reported.
 */
export function judgeRecording(entries: Drafts, history: History): DraftOf<'verdicts'>[] {
  const world = positioned(entries, 'genesis')[0]?.[1].world
  if (world === undefined) return []
  const ofExchanges = positioned(entries, 'http').flatMap(([, http]): DraftOf<'verdicts'>[] => {
    const verdicts = judgeExchange(http, world)
    return verdicts.length === 0 ? [] : [{ kind: 'verdicts', http: http.id, verdicts: verdicts.map(brief) }]
  })
  const together = judgeConfirm({ ...history, buildIds: buildIdsOf(entries) })
  return [...ofExchanges, { kind: 'verdicts', http: null, verdicts: together.map(brief) }]
}

/** Every build id that was handed out, as often as it was. */
function buildIdsOf(entries: Drafts): readonly string[] {
  return positioned(entries, 'http').flatMap(([, { path, answer }]) => {
    if (path !== BUILD_PATH || answer?.status !== 200) return []
    const { attribution } = (parseJson(answer.body) ?? {}) as { readonly attribution?: { buildId?: unknown } }
    return typeof attribution?.buildId === 'string' ? [attribution.buildId.toLowerCase()] : []
  })
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
