import { liveTime } from '../../src/targets/liveTime.ts'
import type { Reply } from './client.ts'
import type { ClientKey } from './keys.ts'
import { type Client, PASSING, RETRY_MS, sendAnywhere } from './sendAnywhere.ts'

/** Of a report that is genuine: recorded, or pending. */
const GENUINE: ReadonlySet<number> = new Set([200, 202])
/** The transaction is credited to another build, belongs to another one, or the build to another key. */
const REFUSED: ReadonlySet<number> = new Set([404, 409, 422])
const EITHER: ReadonlySet<number> = new Set([...GENUINE, ...REFUSED])

/**
 * Reports a transaction until it is decided: often twice at the same moment, and for each of two builds that are alike.
 * Afterwards it may report it again, or make a claim that must be refused.
 */
export async function reportSwap(
  client: Client,
  key: ClientKey,
  buildIds: readonly string[],
  txHash: string,
): Promise<void> {
  const { stream } = client
  const times = stream.chanceBps(3_333) ? 2 : 1
  const isTwin = buildIds.length > 1
  const reports = buildIds.flatMap((buildId) => Array.from({ length: times }, () => buildId))
  await Promise.all(reports.map((buildId) => untilDecided(client, key, buildId, txHash, isTwin)))
  const [first = ''] = buildIds
  if (stream.chanceBps(2_500)) await reportOnce(client, key, first, txHash, isTwin ? EITHER : GENUINE, true)
  if (stream.chanceBps(1_500)) await claimFalsely(client, key, buildIds, txHash)
}

async function untilDecided(
  client: Client,
  key: ClientKey,
  buildId: string,
  txHash: string,
  isTwin: boolean,
): Promise<void> {
  for (;;) {
    const reply = await reportOnce(client, key, buildId, txHash, isTwin ? EITHER : GENUINE, true)
    if (reply !== null && reply.status !== 202 && !PASSING.has(reply.status)) return
    const endsAtMs = client.endsAtMs()
    if (endsAtMs !== null && liveTime.nowMs() > endsAtMs) {
      client.journal.unexpected.push(
        `confirm: build ${buildId} was not decided in time; the last answer was ${reply?.status ?? 'none'}`,
      )
      return
    }
    // Without an answer the client has waited already.
    if (reply === null) continue
    await liveTime.pass(Math.max(reply.retryAfterMs, client.stream.int(RETRY_MS.min, RETRY_MS.max)))
  }
}

/** The same transaction for a build that another key made, or with another key. */
async function claimFalsely(
  client: Client,
  key: ClientKey,
  buildIds: readonly string[],
  txHash: string,
): Promise<void> {
  const { journal, stream, keys } = client
  const [first = ''] = buildIds
  const isWithOtherKey = stream.chanceBps(5_000)
  const others = journal.builds.filter(
    ({ build, keyId }) => build !== null && keyId === key.keyId && !buildIds.includes(build.buildId),
  )
  const claimant = isWithOtherKey ? (keys.find(({ keyId }) => keyId !== key.keyId) ?? key) : key
  const claimed = isWithOtherKey || others.length === 0 ? first : (stream.pick(others).build?.buildId ?? '')
  if (claimant === key && claimed === first) return
  await reportOnce(client, claimant, claimed, txHash, REFUSED, false)
}

async function reportOnce(
  client: Client,
  key: ClientKey,
  buildId: string,
  txHash: string,
  allowed: ReadonlySet<number>,
  genuine: boolean,
): Promise<Reply | null> {
  const reply = await sendAnywhere(client, key, 'confirm', { buildId, txHash }, allowed)
  const alreadyRecorded =
    reply?.status === 200 ? (reply.body as { alreadyRecorded: boolean }).alreadyRecorded : null
  const status = reply?.status ?? null
  client.journal.reports.push({ keyId: key.keyId, buildId, txHash, genuine, status, alreadyRecorded })
  return reply
}
