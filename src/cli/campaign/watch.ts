import { CampaignDatabaseError } from '../../campaign/database/open.ts'
import { type CampaignStatus, readStatus } from '../../campaign/read.ts'
import { toTerminal } from '../../reporting/document/terminal.ts'
import type { Ending } from '../../runner/verdict/verdict.ts'
import { realTime } from '../../targets/realTime.ts'
import { colours } from '../terminal/colours.ts'
import { endWith } from '../terminal/ending.ts'
import { invocation } from '../terminal/invocation.ts'
import type { Output } from '../terminal/output.ts'
import { canRepaint, repaint, type Terminal } from '../terminal/repaint.ts'
import { untilInterrupted } from '../terminal/untilInterrupted.ts'
import { type DatabaseOptions, namedDatabase, withDatabase } from './database.ts'
import { demandOf } from './demand.ts'
import { describeProgress, statusBlocks } from './describe.ts'

/** Shows one look at a campaign after another. @param away why the database cannot be read now; null: it can. */
export type Show = (status: CampaignStatus, away: string | null) => void

/** Between two looks. */
const LOOK_EVERY_MS = 1_000
/** A database that does not respond for so long is away: a connection that was lost says nothing by itself. */
const LOOK_LIMIT_MS = 10_000
/** A database that is away for so many looks in a row, ten minutes or more, ends a watch. */
const LOOKS_AWAY = 600
/** Where nothing can be drawn a line says how far it is, after so many looks. */
const PROGRESS_EVERY_LOOKS = 10

/**
 * `plumbline campaign watch`: shows a campaign until it has finished or was stopped.
 *
 * @returns the verdict on the campaign, as far as it is.
 */
export function watchUntilEnd(
  id: string,
  options: DatabaseOptions & { readonly json?: boolean },
  output: Output,
): Promise<Ending> {
  const { json = false } = options
  const { stdout } = process
  const screen = canRepaint(stdout) ? terminalScreen(stdout) : progressLines(output)
  const show: Show = json ? () => {} : screen
  return withDatabase({ url: namedDatabase(options) }, async (database) => {
    let last: CampaignStatus | null = null
    let isLeaving = false
    const read = () => readStatus(database, id, demandOf)
    const keep: Show = (status, away) => {
      last = status
      show(status, away)
    }
    const looking = look(read, keep, realTime, () => isLeaving)
    try {
      await untilInterrupted(looking)
      const status: CampaignStatus = last ?? (await read())
      const { campaign, verdict } = status
      const { isFinished, isStopped } = campaign
      const stopped = isStopped ? 'the campaign was stopped' : 'the watch is over, and the campaign goes on'
      const end = isFinished ? `finished; its report: ${invocation()} campaign report ${id}` : stopped
      output.out(json ? JSON.stringify(status) : end)
      return endWith(verdict, { json }, output)
    } finally {
      isLeaving = true
      realTime.release()
    }
  })
}

/**
 * Looks at a campaign again and again, until it was stopped or has finished.
 *
 * @throws what the first look throws; {CampaignDatabaseError} its database is away for too long
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

/** Rejects once a look has taken too long. */
async function limitOf(time: { pass(deltaMs: number): Promise<unknown> }): Promise<never> {
  await time.pass(LOOK_LIMIT_MS)
  throw new Error(`no response within ${LOOK_LIMIT_MS / 1_000} s`)
}

/** Draws the status in the place of the one before. */
export function terminalScreen(terminal: Terminal): Show {
  const above = colours.dim('Ctrl-C ends the watch, and not the campaign')
  return (status, away) => {
    const gone = away === null ? [] : [colours.red(describeAway(away))]
    repaint(terminal, [above, ...gone, ...toTerminal(statusBlocks(status), colours)])
  }
}

/** Prints how far the campaign is, at first, every so often and at the end. */
export function progressLines(output: Output): Show {
  let looks = 0
  return (status, away) => {
    const { isFinished, isStopped } = status.campaign
    const isDue = looks % PROGRESS_EVERY_LOOKS === 0 || isFinished || isStopped
    looks += 1
    if (isDue) output.out(away === null ? describeProgress(status) : describeAway(away))
  }
}

function describeAway(away: string): string {
  return `the database is away: ${away}; waiting for it`
}

/** Returns one line. Node reports a refused connection to several addresses without a message of its own. */
function reasonOf(error: Error): string {
  const { message } = error instanceof AggregateError ? (error.errors[0] as Error) : error
  return message.split('\n')[0] as string
}
