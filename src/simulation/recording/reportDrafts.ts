import { PlumblineError } from '../../spec/errors.ts'
import type { StoryReport } from '../runLog.ts'
import { canonicalJson } from './canonical.ts'
import type { Draft } from './recorder.ts'
import type { EntryOf } from './schema.ts'

type HttpDraft = Omit<EntryOf<'http'>, 'n'>
type ReportDraft = Omit<EntryOf<'report'>, 'n'>

/** A report whose request was not recorded: the recorder did not hear all of the run. */
class UnheardReportError extends PlumblineError {
  override readonly name = 'UnheardReportError'
  constructor(txHash: string) {
    super(`the report of ${txHash} has no recorded request`, 'Record the run from its first step on.')
  }
}

/** The reports of a run, each with the request that made it, in the order in which they are judged. */
export function reportDrafts(reports: readonly StoryReport[], entries: readonly Draft[]): ReportDraft[] {
  const requests = entries.filter((entry): entry is HttpDraft => entry.kind === 'http')
  const used = new Set<number>()
  let last = -1
  return reports.map((report) => {
    const lost = report.moments[0].answer === null
    // A lost answer is taken down right after the one that was heard in its place.
    const http = lost ? last : find(report, requests, used)
    used.add(http)
    last = http
    return {
      kind: 'report',
      http,
      lost,
      verification: report.moments[0].verification,
      exercises: [...(report.moments[0].exercises ?? [])],
      // The moment between two blocks follows from the other two.
      moments: report.heads.map((head, index) => momentOf(report, head, index)),
    }
  })
}

function momentOf({ moments }: StoryReport, head: string, index: number): ReportDraft['moments'][number] {
  const { key, budget, transactions } = moments[index] ?? moments[0]
  return {
    head,
    key,
    budget,
    transactions: [...transactions].map(([hash, { state }]) => ({ hash, state })),
  }
}

/** @throws {UnheardReportError} */
function find(
  { moments: [report] }: StoryReport,
  requests: readonly HttpDraft[],
  used: ReadonlySet<number>,
): number {
  const { buildId, txHash, keyId, answer } = report
  const found = requests.find(
    (request) =>
      !used.has(request.id) &&
      request.key?.id === keyId &&
      request.body === JSON.stringify({ buildId, txHash }) &&
      request.answer?.status === answer?.status &&
      canonicalJson(jsonOf(request.answer?.body)) === canonicalJson(answer?.json),
  )
  if (found === undefined) throw new UnheardReportError(txHash)
  return found.id
}

function jsonOf(body: string | undefined): unknown {
  try {
    return JSON.parse(body ?? '')
  } catch {
    return undefined
  }
}
