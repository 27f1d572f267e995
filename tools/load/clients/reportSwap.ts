import { realTime } from '../../../src/targets/realTime.ts'
import { CLIENT_KEYS, type ClientKey } from '../setup/keys.ts'
import { type Client, PASSING, RETRY_MS, type Reply, send } from './client.ts'
import { answeredBuilds } from './journal.ts'

/** Statuses of a genuine report: recorded, or pending. */
const GENUINE: ReadonlySet<number> = new Set([200, 202])
/** Statuses of a refused report: the transaction is credited to another build or belongs to one, or the build to another key. */
const REFUSED: ReadonlySet<number> = new Set([404, 409, 422])
const EITHER: ReadonlySet<number> = new Set([...GENUINE, ...REFUSED])

/**
 * Reports a transaction until it is decided: often twice concurrently, and for each of two equal builds. Afterwards it may
 * report it again, or make a claim that must be refused.
 */
export async function reportSwap(
  client: Client,
  key: ClientKey,
  buildIds: readonly string[],
  txHash: string,
): Promise<void> {
  const { stream } = client
  const times = stream.chanceBps(3_333) ? 2 : 1
  const allowed = buildIds.length > 1 ? EITHER : GENUINE
  const report = (buildId: string) => reportOnce(client, key, buildId, txHash, allowed)
  const reports = buildIds.flatMap((buildId) => Array.from({ length: times }, () => buildId))
  await Promise.all(reports.map((buildId) => untilDecided(client, buildId, () => report(buildId))))
  if (stream.chanceBps(2_500)) await report(buildIds[0] ?? '')
  if (stream.chanceBps(1_500)) await claimFalsely(client, key, buildIds, txHash)
}

async function untilDecided(
  { journal, stream, endsAtMs }: Client,
  buildId: string,
  report: () => Promise<Reply | null>,
): Promise<void> {
  for (;;) {
    const reply = await report()
    if (reply !== null && reply.status !== 202 && !PASSING.has(reply.status)) return
    if (realTime.nowMs() > (endsAtMs() ?? Number.POSITIVE_INFINITY)) {
      const last = `the last answer was ${reply?.status ?? 'none'}`
      journal.unexpected.push(`confirm: build ${buildId} was not decided in time; ${last}`)
      return
    }
    // Without a response the client has already waited.
    if (reply !== null)
      await realTime.pass(Math.max(reply.retryAfterMs, stream.int(RETRY_MS.min, RETRY_MS.max)))
  }
}

/** Claims the transaction for another build, or with another key. */
async function claimFalsely(
  client: Client,
  key: ClientKey,
  buildIds: readonly string[],
  txHash: string,
): Promise<void> {
  const { journal, stream } = client
  const [first = ''] = buildIds
  const isWithOtherKey = stream.chanceBps(5_000)
  const others = answeredBuilds(journal).filter(
    ({ keyId, build }) => keyId === key.keyId && !buildIds.includes(build.buildId),
  )
  const claimant = isWithOtherKey ? (CLIENT_KEYS.find(({ keyId }) => keyId !== key.keyId) ?? key) : key
  const claimed = isWithOtherKey || others.length === 0 ? first : stream.pick(others).build.buildId
  if (claimant === key && claimed === first) return
  await reportOnce(client, claimant, claimed, txHash, REFUSED)
}

/** @param allowed `REFUSED` for a claim that must be refused. */
async function reportOnce(
  client: Client,
  key: ClientKey,
  buildId: string,
  txHash: string,
  allowed: ReadonlySet<number>,
): Promise<Reply | null> {
  const reply = await send(client, key, 'confirm', { buildId, txHash }, allowed)
  const status = reply?.status ?? null
  const body = reply?.body as { readonly alreadyRecorded: boolean } | undefined
  const alreadyRecorded = status === 200 ? (body?.alreadyRecorded ?? null) : null
  const genuine = allowed !== REFUSED
  client.journal.reports.push({ keyId: key.keyId, buildId, txHash, genuine, status, alreadyRecorded })
  return reply
}
