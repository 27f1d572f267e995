import { statusOf } from '../../../campaign/status.ts'
import { type CampaignSnapshot, hasEnded, watchCampaign } from '../../../campaign/watch.ts'
import type { Ending } from '../../../runner/verdict/verdict.ts'
import { realTime } from '../../../targets/realTime.ts'
import { endWith } from '../../terminal/ending.ts'
import { invocation } from '../../terminal/invocation.ts'
import type { Output } from '../../terminal/output.ts'
import { canRepaint } from '../../terminal/repaint.ts'
import { untilInterrupted } from '../../terminal/untilInterrupted.ts'
import { demandOf } from '../demand.ts'
import { type DatabaseOptions, named, withDatabase } from '../withDatabase.ts'
import { jsonScreen, plainScreen, terminalScreen, type WatchScreen } from './screens.ts'

/** The options of `plumbline campaign watch`. */
interface WatchOptions extends DatabaseOptions {
  readonly json?: boolean
}

/**
 * `plumbline campaign watch`: shows a campaign until it has finished or was stopped.
 *
 * @returns the verdict on the campaign, as far as it is.
 */
export function watchUntilEnd(id: string, options: WatchOptions, output: Output): Promise<Ending> {
  const { json = false } = options
  return withDatabase(named(options), async (database) => {
    const read = () => statusOf(database, id, demandOf)
    const first: CampaignSnapshot = { status: await read(), away: null }
    let sight = first
    let isLeaving = false
    try {
      const screen = screenOf(json, output)
      const watching = watchCampaign(read, {
        time: realTime,
        isLeaving: () => isLeaving,
        onSnapshot: (seen) => {
          sight = seen
          screen.show(seen)
        },
      })
      const isInterrupted = (await untilInterrupted(watching)) === null
      isLeaving = true
      const { verdict } = sight.status
      if (!json) output.out(describeEnd(sight, isInterrupted, `${invocation()} campaign`))
      return endWith(verdict, { json }, output)
    } finally {
      isLeaving = true
      realTime.release()
    }
  })
}

function screenOf(json: boolean, output: Output): WatchScreen {
  if (json) return jsonScreen(output)
  const { stdout } = process
  return canRepaint(stdout) ? terminalScreen(stdout) : plainScreen(output)
}

/** Returns what became of the campaign, and what to do next. */
function describeEnd({ status }: CampaignSnapshot, isInterrupted: boolean, command: string): string {
  const { id, isFinished } = status.campaign
  if (isFinished) return `finished; its report: ${command} report ${id}`
  if (hasEnded(status)) return `stopped; to go on: ${command} resume ${id}`
  return isInterrupted ? 'the watch is over, and the campaign goes on' : 'the watch is over'
}
