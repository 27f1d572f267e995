import { parseJson } from '../../spec/json.ts'
import { confirmBodySchema } from '../../spec/requests.ts'
import { decoded } from '../../spec/secrets/url.ts'
import { type DraftOf, type Drafts, only, positioned } from '../format/drafts.ts'
import { retriedIn } from '../format/retried.ts'
import { hasClient } from './checkOutside.ts'
import { check } from './errors.ts'
import { QUOTE_PATH } from './judgeRecording.ts'
import { RecordedBlocks } from './recordedBlocks.ts'
import { BUILD_PATH, buildIdsIn, CONFIRM_PATH } from './recordedReports.ts'

type Http = DraftOf<'http'>

/** The endpoints whose responses are judged, and whether a query belongs to them. */
const JUDGED: Readonly<Record<string, boolean>> = {
  [QUOTE_PATH]: true,
  [BUILD_PATH]: false,
  [CONFIRM_PATH]: false,
}

/**
 * Checks that nobody takes a response out of the judgement: every request to a judged endpoint is written as
 * the suite writes it, and every response to a report has an entry with what was true then, unless it follows from the request alone.
 *
 * @throws {ContradictionError}
 */
export function checkJudged(entries: Drafts): void {
  const requests = positioned(entries, 'http')
  const reported = new Set(positioned(entries, 'report').map(([, { http }]) => http))
  const retried = retriedIn(entries)
  const builds = new Set(requests.flatMap(([, http]) => buildIdsIn(http)))
  // The reference has a budget, and nothing of its run is left out.
  const { capabilities = ['confirm-budget'], absent = [] } = only(entries, 'manifest')[1].outside ?? {}
  // A client writes a request as it likes, and its judge reads it.
  if (!hasClient(entries)) for (const [at, { path }] of requests) checkPath(at, path)
  const known = {
    builds,
    blocks: new RecordedBlocks(entries),
    hasBudget: capabilities.includes('confirm-budget'),
    hasBeginning: !absent.includes('beginning'),
  }
  for (const [at, http] of requests) {
    if (http.path !== CONFIRM_PATH || http.answer === null || reported.has(http.id)) continue
    if (retried.has(http.id)) continue
    const right = statusesWithout(http, known)
    check(
      right.includes(http.answer.status),
      at,
      'answer.status',
      `no entry of kind report says what was true when this report was answered with ${http.answer.status}`,
    )
  }
}

/** @throws {ContradictionError} a server would route the path to a judged endpoint, and the judges would not see it. */
function checkPath(at: number, path: string): void {
  const [bare = '', ...query] = path.split('?')
  const endpoint = Object.keys(JUDGED).find((each) => each === routed(bare))
  if (endpoint === undefined) return
  const isOurs = bare === endpoint && (query.length === 0 || JUDGED[endpoint] === true)
  check(isOurs, at, 'path', `${path} leads to ${endpoint}, and the suite does not write it like this`)
}

/** Returns a path as the most lenient server routes it. */
function routed(path: string): string {
  const kept: string[] = []
  for (const part of decoded(path)
    .replace(/[?#;].*$/s, '')
    .replaceAll('\\', '/')
    .split('/')) {
    if (part === '..') kept.pop()
    else if (part !== '' && part !== '.') kept.push(part.trim().toLowerCase())
  }
  return `/${kept.join('/')}`
}

/** What a recording holds of the run. */
interface KnownOfRun {
  /** Ids of its builds. */
  readonly builds: ReadonlySet<string>
  readonly blocks: RecordedBlocks
  readonly hasBudget: boolean
  /** False: there may be builds that it does not hold. */
  readonly hasBeginning: boolean
}

/** Returns the statuses that are right by the request and the blocks, whatever else was true. */
function statusesWithout(
  { key, body }: Http,
  { builds, blocks, hasBudget, hasBeginning }: KnownOfRun,
): readonly number[] {
  const parsed = confirmBodySchema.safeParse(parseJson(body ?? ''))
  const right = [...(key === null ? [401] : []), ...(hasBudget ? [429] : [])]
  if (!parsed.success) return [...right, 400]
  const { buildId, txHash } = parsed.data
  const isBuilt = builds.has(buildId)
  if (!isBuilt) right.push(404)
  return blocks.hasMined(txHash) || (!isBuilt && hasBeginning) ? right : [...right, 202]
}
