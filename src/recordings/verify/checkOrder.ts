import { LIMITS } from '../../spec/limits.ts'
import { type Drafts, isOfLine, only, positioned } from '../format/drafts.ts'
import { hasClient } from './checkOutside.ts'
import { check } from './errors.ts'
import { CONFIRM_PATH } from './recordedReports.ts'

/** No run waits longer for a response: twice the time of a build (§8), as a machine under load notices late that it is over. */
const RESPONSE_MS_MAX = 2 * LIMITS.buildBudgetMs

/**
 * Checks the order in which a recording from outside says that things happened: its clock goes forward from entry to entry, each
 * response came after its request and while the run waited for it, nothing but a report had the chain changed meanwhile, and the reports
 * are in the order in which they were answered, one for each answer.
 *
 * @throws {ContradictionError}
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

/** @throws {ContradictionError} a command changed the chain within a request of a case that is no report. */
function checkMeanwhile(entries: Drafts): void {
  const commands = positioned(entries, 'control').map(([, { method }]) => method)
  // How many there were so far, and the place of the next one that changes the chain.
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
