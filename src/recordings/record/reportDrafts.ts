import type { ScenarioReport } from '../../simulation/runLog.ts'
import { PlumblineError } from '../../spec/errors.ts'
import { parseJson } from '../../spec/json.ts'
import { canonicalJson } from '../format/canonical.ts'
import type { EntryOf } from '../format/schema.ts'
import type { Draft } from './recorder.ts'

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
export function reportDrafts(reports: readonly ScenarioReport[], entries: readonly Draft[]): ReportDraft[] {
  const requests = entries.filter((entry): entry is HttpDraft => entry.kind === 'http')
  const used = new Set<number>()
  let last = -1
  return reports.map((report) => {
    const lost = report.moments[0].answer === null
    // A credit that the response does not show is recorded right after it.
    const repeated = lost && requests[last]?.answer !== null && isAbout(report, requests[last])
    const http = repeated ? last : find(report, requests, used)
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

function momentOf({ moments }: ScenarioReport, head: string, index: number): ReportDraft['moments'][number] {
  const { key, budget, transactions } = moments[index] ?? moments[0]
  return {
    head,
    key,
    budget,
    transactions: [...transactions].map(([hash, { state }]) => ({ hash, state })),
  }
}

/** @throws {UnheardReportError} */
function find(report: ScenarioReport, requests: readonly HttpDraft[], used: ReadonlySet<number>): number {
  const { txHash, answer } = report.moments[0]
  const found = requests.find(
    (request) =>
      !used.has(request.id) &&
      isAbout(report, request) &&
      (request.answer?.status ?? null) === (answer?.status ?? null) &&
      canonicalJson(parseJson(request.answer?.body ?? '')) === canonicalJson(answer?.json),
  )
  if (found === undefined) throw new UnheardReportError(txHash)
  return found.id
}

function isAbout({ path, moments }: ScenarioReport, request: HttpDraft | undefined): boolean {
  const { buildId, txHash, keyId } = moments[0]
  return (
    request?.step === path &&
    request.key?.id === keyId &&
    request.body === JSON.stringify({ buildId, txHash })
  )
}
