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

/** The endpoints whose responses are judged; true if their requests have a query. */
const JUDGED: Readonly<Record<string, boolean>> = {
  [QUOTE_PATH]: true,
  [BUILD_PATH]: false,
  [CONFIRM_PATH]: false,
}

/**
 * Checks that no response escapes the judges: every request to a judged endpoint has the path that the suite writes, and every
 * response to confirm has a report entry with the facts of that moment, unless its status is right by the request alone.
 *
 * @throws {ContradictionError} a response escapes the judges.
 */
export function checkJudged(entries: Drafts): void {
  const requests = positioned(entries, 'http')
  const reported = new Set(positioned(entries, 'report').map(([, { http }]) => http))
  const retried = retriedIn(entries)
  const builds = new Set(requests.flatMap(([, http]) => buildIdsIn(http)))
  // The reference has a budget, and its recordings are complete.
  const { capabilities = ['confirm-budget'], absent = [] } = only(entries, 'manifest')[1].outside ?? {}
  // A client may write its requests in any form, and its judge reads all of them.
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

/** @throws {ContradictionError} a server might route the path to a judged endpoint, and the judges would miss it. */
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

/** Facts about the run of a recording. */
interface KnownOfRun {
  /** Build ids. */
  readonly builds: ReadonlySet<string>
  readonly blocks: RecordedBlocks
  readonly hasBudget: boolean
  /** False if there may be builds that the recording lacks. */
  readonly hasBeginning: boolean
}

/** Returns the statuses that may be right by the request and the blocks alone. */
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
