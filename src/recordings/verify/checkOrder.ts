import { LIMITS } from '../../spec/limits.ts'
import { type Drafts, isOfLine, only, positioned } from '../format/drafts.ts'
import { hasClient } from './checkOutside.ts'
import { check } from './errors.ts'
import { CONFIRM_PATH } from './recordedReports.ts'

/** The longest that a run waits for a response: twice the build budget (§8), as timeouts fire late on a busy machine. */
const RESPONSE_MS_MAX = 2 * LIMITS.buildBudgetMs

/**
 * Checks the order of events in a recording from outside: times never decrease; each response comes after its request and
 * before the run stops waiting; the chain changes only during requests to confirm; and the reports are in the order of their
 * answers, one for each.
 *
 * @throws {ContradictionError} the order is impossible.
 */
export function checkOrder(entries: Drafts): void {
  const [manifestAt, { chainId, policy }] = only(entries, 'manifest')
  check(chainId === LIMITS.chainId, manifestAt, 'chainId', `${chainId} is not ${LIMITS.chainId}`)
  check(Object.keys(policy).length === 0, manifestAt, 'policy', 'that of a service from outside is not known')
  let nowMs = Number.NEGATIVE_INFINITY
  for (const [at, entry] of entries.entries()) {
    if (entry.kind !== 'http' && entry.kind !== 'rpc' && entry.kind !== 'control') continue
    check(entry.atMs >= nowMs, at, 'atMs', `lies ${nowMs - entry.atMs} ms before the entry before it`)
    nowMs = entry.atMs
    if (entry.kind !== 'http' || entry.answer === null) continue
    const tookMs = entry.answer.atMs - entry.atMs
    const isWaitedFor = tookMs >= 0 && tookMs <= RESPONSE_MS_MAX
    check(isWaitedFor, at, 'answer.atMs', `came after ${tookMs} ms; a run waits for ${RESPONSE_MS_MAX} ms`)
  }
  if (!hasClient(entries)) checkMeanwhile(entries)
  checkReportOrder(entries)
}

/** @throws {ContradictionError} a command changed the chain during a request other than to confirm. */
function checkMeanwhile(entries: Drafts): void {
  const commands = positioned(entries, 'control').map(([, { method }]) => method)
  // Number of commands so far, and the index of the next one that changes the chain.
  let [begun, next] = [0, 0]
  for (const [at, entry] of entries.entries()) {
    if (entry.kind === 'control') begun += 1
    if (entry.kind !== 'http' || entry.path === CONFIRM_PATH) continue
    while (next < begun || isOfLine(commands[next] ?? '')) next += 1
    const { during = 0, id } = entry
    const isOutOfIt = next >= Math.min(begun + during, commands.length)
    check(isOutOfIt, at, 'during', `${commands[next]} came within request ${id}, and no case does that`)
  }
}

function checkReportOrder(entries: Drafts): void {
  const requests = new Map(positioned(entries, 'http').map(([, http]) => [http.id, http]))
  const reported = new Set<number>()
  let latestMs = Number.NEGATIVE_INFINITY
  for (const [at, { http }] of positioned(entries, 'report')) {
    check(!reported.has(http), at, 'http', `request ${http} has an entry of kind report already`)
    reported.add(http)
    const { atMs = latestMs, answer = null } = requests.get(http) ?? {}
    const endedMs = answer?.atMs ?? latestMs
    check(
      endedMs >= latestMs,
      at,
      'http',
      `request ${http} was answered before that of an earlier entry was sent`,
    )
    latestMs = Math.max(latestMs, atMs)
  }
}
