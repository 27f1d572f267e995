import { statusOf } from '../../../campaign/status.ts'
import { hasEnded, type Sight, watchCampaign } from '../../../campaign/watch.ts'
import type { CampaignView } from '../../../reporting/report/campaign.ts'
import type { Ending } from '../../../runner/verdict.ts'
import { liveTime } from '../../../targets/liveTime.ts'
import { endWith } from '../../ending.ts'
import { invocation } from '../../invocation.ts'
import type { Output } from '../../output.ts'
import { canRepaint } from '../../repaint.ts'
import { untilInterrupted } from '../../untilInterrupted.ts'
import { demandOf } from '../demand.ts'
import { type DatabaseOptions, named, withDatabase } from '../withDatabase.ts'
import { type Address, OWN_ADDRESS } from './address.ts'
import { jsonScreen, plainScreen, terminalScreen, type WatchScreen } from './screens.ts'
import type { ServedPage } from './servePage.ts'
import { viewOf } from './viewOf.ts'

/** The options of `plumbline campaign watch`. */
interface WatchOptions extends DatabaseOptions {
  readonly json?: boolean
  /** Where to serve a page; true: at a free port of this machine. */
  readonly serve?: Address | true
}

/**
 * `plumbline campaign watch`: shows a campaign until it has finished or was stopped; with a page until interrupted.
 *
 * @returns the verdict on the campaign, as far as it is.
 */
export function watchUntilEnd(id: string, options: WatchOptions, output: Output): Promise<Ending> {
  const { json = false, serve } = options
  return withDatabase(named(options), async (database) => {
    const read = () => statusOf(database, id, demandOf)
    const first: Sight = { status: await read(), away: null }
    const command = invocation()
    const page = serve === undefined ? null : await pageAt(serve, viewOf(first, command))
    let sight = first
    let isLeaving = false
    try {
      const screen = screenOf(json, output, page?.url ?? null)
      const watching = watchCampaign(read, {
        time: liveTime,
        staysOpen: page !== null,
        isLeaving: () => isLeaving,
        onSight: (seen) => {
          sight = seen
          screen.show(seen)
          page?.show(viewOf(seen, command))
        },
      })
      const isInterrupted = (await untilInterrupted(watching)) === null
      isLeaving = true
      const { verdict } = sight.status
      if (!json) output.out(describeEnd(sight, isInterrupted, `${command} campaign`))
      return endWith(verdict, { json }, output)
    } finally {
      isLeaving = true
      await page?.close()
      liveTime.release()
    }
  })
}

/** Only who serves a page loads a server. */
async function pageAt(serve: Address | true, view: CampaignView): Promise<ServedPage> {
  const { servePage } = await import('./servePage.ts')
  return servePage(serve === true ? OWN_ADDRESS : serve, view)
}

function screenOf(json: boolean, output: Output, url: string | null): WatchScreen {
  if (json) return jsonScreen(output, url)
  const { stdout } = process
  return canRepaint(stdout) ? terminalScreen(stdout, url) : plainScreen(output, url)
}

/** What became of the campaign, and what to do next. */
function describeEnd({ status }: Sight, isInterrupted: boolean, command: string): string {
  const { id, isFinished } = status.campaign
  if (isFinished) return `finished; its report: ${command} report ${id}`
  if (hasEnded(status)) return `stopped; to go on: ${command} resume ${id}`
  return isInterrupted ? 'the watch is over, and the campaign goes on' : 'the watch is over'
}
