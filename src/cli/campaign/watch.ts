import { CampaignDatabaseError } from '../../campaign/database/open.ts'
import { seedsIn } from '../../campaign/range.ts'
import { type CampaignStatus, readStatus } from '../../campaign/read.ts'
import type { Ending } from '../../runner/verdict/verdict.ts'
import { realTime } from '../../targets/realTime.ts'
import { endWith } from '../terminal/ending.ts'
import { invocation } from '../terminal/invocation.ts'
import type { Output, Shown } from '../terminal/output.ts'
import { printBlocks } from '../terminal/printBlocks.ts'
import { runProgress } from '../terminal/progress.ts'
import { untilInterrupted } from '../terminal/untilInterrupted.ts'
import { type DatabaseOptions, namedDatabase, withDatabase } from './database.ts'
import { demandOf } from './demand.ts'
import { describeRate, failureBlock, statusBlocks } from './describe.ts'

/** Shows the current status of a campaign. @param away the reason why the database cannot be read now; null: it can be. */
type Show = (status: CampaignStatus, away: string | null) => void

const LOOK_EVERY_MS = 1_000
/** A database that takes longer to respond counts as unavailable: a lost connection may not report an error. */
const LOOK_LIMIT_MS = 10_000
/** Failed looks in a row, over ten minutes or more, after which a watch ends. */
const LOOKS_AWAY = 600
/**
 * `plumbline campaign watch`: shows a campaign until it has finished or was stopped.
 *
 * @returns the verdict of the campaign so far.
 */
export function watchUntilEnd(
  id: string,
  options: DatabaseOptions & Pick<Shown, 'json'>,
  output: Output,
): Promise<Ending> {
  const { json = false } = options
  const progress = runProgress(output, json, 'seeds')
  const show = json ? () => {} : showProgress(progress, output)
  return withDatabase({ url: namedDatabase(options) }, async (database) => {
    let last: CampaignStatus | null = null
    let isLeaving = false
    const read = () => readStatus(database, id, demandOf)
    const keep: Show = (status, away) => {
      last = status
      show(status, away)
    }
    try {
      await untilInterrupted(look(read, keep, realTime, () => isLeaving)).finally(progress.end)
      const status: CampaignStatus = last ?? (await read())
      output.out(json ? JSON.stringify(status) : describeEnd(status.campaign))
      return endWith(status.verdict, { json }, output)
    } finally {
      isLeaving = true
      realTime.release()
    }
  })
}

function describeEnd({ id, isFinished, isStopped }: CampaignStatus['campaign']): string {
  if (isFinished) return `finished; its report: ${invocation()} campaign report ${id}`
  return isStopped ? 'the campaign was stopped' : 'the watch is over, and the campaign goes on'
}

/**
 * Reads the status of a campaign repeatedly, until it has finished or was stopped.
 *
 * @throws what the first look throws. {CampaignDatabaseError} the database is unavailable for too long.
 */
export async function look(
  read: () => Promise<CampaignStatus>,
  show: Show,
  time: { pass(deltaMs: number): Promise<unknown> },
  isLeaving: () => boolean,
): Promise<void> {
  let status = await read()
  show(status, null)
  for (let away = 0; !(status.campaign.isFinished || status.campaign.isStopped); ) {
    await time.pass(LOOK_EVERY_MS)
    if (isLeaving()) return
    const found = await Promise.race([read(), limitOf(time)]).catch((error) => error as Error)
    if (isLeaving()) return
    away = found instanceof Error ? away + 1 : 0
    if (found instanceof Error && away > LOOKS_AWAY) throw new CampaignDatabaseError(found)
    status = found instanceof Error ? status : found
    show(status, found instanceof Error ? reasonOf(found) : null)
  }
}

async function limitOf(time: { pass(deltaMs: number): Promise<unknown> }): Promise<never> {
  await time.pass(LOOK_LIMIT_MS)
  throw new Error(`no response within ${LOOK_LIMIT_MS / 1_000} s`)
}

/** Shows the status of the campaign once, then its progress, and each new kind of failure. */
export function showProgress(progress: ReturnType<typeof runProgress>, output: Output): Show {
  let done: number | null = null
  let wasAway = false
  const known = new Set<string>()
  return (status, away) => {
    const { campaign, failures } = status
    if (done === null) {
      printBlocks(statusBlocks(status), output.out)
      for (const { fingerprint } of failures) known.add(fingerprint)
      progress.start(seedsIn(campaign))
      progress.running([])
      done = 0
    }
    for (; done < campaign.seedsDone; done += 1) progress.step(describeRate(status))
    const unknown = failures.filter(({ fingerprint }) => !known.has(fingerprint))
    for (const failure of unknown) {
      known.add(failure.fingerprint)
      progress.above(() => printBlocks([failureBlock(failure, campaign.plan)], output.out))
    }
    if (away !== null && !wasAway) progress.notice(`the database is unavailable: ${away}; waiting for it`)
    wasAway = away !== null
  }
}

/** Returns one line. If several addresses refuse a connection, the error that Node reports has no message. */
function reasonOf(error: Error): string {
  const { message } = error instanceof AggregateError ? (error.errors[0] as Error) : error
  return message.split('\n')[0] as string
}
