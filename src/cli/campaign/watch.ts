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
import { describeProgress, failureBlock, statusBlocks } from './describe.ts'

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
  const screen = json ? jsonScreen(output) : canRepaint(stdout) ? terminalScreen(stdout) : plainScreen(output)
  return withDatabase({ url: namedDatabase(options) }, async (database) => {
    let last: CampaignStatus | null = null
    let isLeaving = false
    const show: Show = (status, away) => {
      last = status
      screen(status, away)
    }
    const looking = look(
      () => readStatus(database, id, demandOf),
      show,
      realTime,
      () => isLeaving,
    )
    try {
      await untilInterrupted(looking)
      const { campaign, verdict } = last ?? (await readStatus(database, id, demandOf))
      const { isFinished, isStopped } = campaign
      const stopped = isStopped ? 'the campaign was stopped' : 'the watch is over, and the campaign goes on'
      if (!json)
        output.out(isFinished ? `finished; its report: ${invocation()} campaign report ${id}` : stopped)
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

/** Prints a line for each change of note, and every so often how far the campaign is. */
export function plainScreen(output: Output): Show {
  const said = new Set<string>()
  let [looks, before] = [0, { away: null as string | null, state: '', seedsDone: -1 }]
  const once = (key: string, lines: () => readonly string[]) => {
    if (said.has(key)) return
    said.add(key)
    for (const line of lines()) output.out(line)
  }
  return (status, away) => {
    const { isFinished, isStopped, problem, seedsDone, plan } = status.campaign
    const state = `${isFinished} ${isStopped}`
    looks += 1
    if (away !== before.away) output.out(describeAway(away))
    if (state !== before.state || (looks >= PROGRESS_EVERY_LOOKS && seedsDone !== before.seedsDone)) {
      output.out(describeProgress(status))
      ;[looks, before] = [0, { ...before, seedsDone }]
    }
    if (problem !== null) once(problem, () => [`stopped: ${problem}`])
    for (const { machine } of status.machines) once(machine, () => [`${machine} works on it`])
    for (const failure of status.failures)
      once(`${failure.fingerprint} ${failure.isShrunk}`, () =>
        toTerminal([failureBlock(failure, plan)], colours),
      )
    before = { ...before, away, state }
  }
}

/** Prints a line of JSON for each change, as `campaign status --json` prints it. Rate and time left change all the time, and do not count. */
export function jsonScreen(output: Output): Show {
  let before = ''
  let wasAway: string | null = null
  return (status, away) => {
    if (away !== wasAway) output.err(describeAway(away))
    wasAway = away
    const facts = JSON.stringify({ ...status, seedsPerS: null, leftS: null })
    if (facts !== before) output.out(JSON.stringify(status))
    before = facts
  }
}

function describeAway(away: string | null): string {
  return away === null ? 'the database responds again' : `the database is away: ${away}; waiting for it`
}

/** Returns one line. Node reports a refused connection to several addresses without a message of its own. */
function reasonOf(error: Error): string {
  const { message } = error instanceof AggregateError ? (error.errors[0] as Error) : error
  return message.split('\n')[0] as string
}
