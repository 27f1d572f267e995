import type { CampaignStatus } from '../../../campaign/status.ts'
import type { CampaignSnapshot } from '../../../campaign/watch.ts'
import { colours } from '../../terminal/colours.ts'
import { widthOf } from '../../terminal/fitLines.ts'
import type { Output } from '../../terminal/output.ts'
import { repaint, type Terminal } from '../../terminal/repaint.ts'
import { describeCoverage, describeProgress } from '../statusText.ts'
import { describeFailure, lengthOf } from '../tables.ts'
import { linesOf } from './lines.ts'

/** Shows what is seen of a campaign, one look after another. */
export interface WatchScreen {
  show(sight: CampaignSnapshot): void
}

/** Where nothing can be drawn a line says how far it is, after so many looks. */
const PROGRESS_EVERY_LOOKS = 10

/** Draws a screen that renews itself. */
export function terminalScreen(terminal: Terminal): WatchScreen {
  let drawn = ''
  const above = colours.dim('Ctrl-C ends the watch, and not the campaign')
  return {
    show: (sight) => {
      const lines = [above, ...linesOf(sight, widthOf({ isTTY: true, columns: terminal.columns }))]
      const text = `${terminal.columns} ${terminal.rows} ${lines.join('\n')}`
      if (text === drawn) return
      drawn = text
      repaint(terminal, lines)
    },
  }
}

/** Prints a line for each change of note. */
export function plainScreen(output: Output): WatchScreen {
  let before: CampaignSnapshot | null = null
  let looks = 0
  let saidDone = 0
  return {
    show: (sight) => {
      const { status } = sight
      const { seedsDone } = status.campaign
      looks += 1
      const isChanged = stateIn(before?.status) !== stateIn(status)
      const isDue = looks >= PROGRESS_EVERY_LOOKS && seedsDone !== saidDone
      if (isChanged || isDue) {
        output.out(describeProgress(status))
        if (status.campaign.problem !== null) output.out(`stopped: ${status.campaign.problem}`)
        looks = 0
        saidDone = seedsDone
      }
      for (const line of newsOf(before, sight)) output.out(line)
      if (isChanged && status.campaign.isFinished) output.out(describeCoverage(status.coverage))
      before = sight
    },
  }
}

/** Prints a line of JSON for each change, as `campaign status --json` prints it. Rate and time left change all the time, and do not count. */
export function jsonScreen(output: Output): WatchScreen {
  let before = ''
  let away: string | null = null
  return {
    show: (sight) => {
      if (away !== sight.away) output.err(describeAway(sight))
      away = sight.away
      const facts = JSON.stringify({ ...sight.status, seedsPerS: null, leftS: null })
      if (facts === before) return
      before = facts
      output.out(JSON.stringify(sight.status))
    },
  }
}

function newsOf(before: CampaignSnapshot | null, { status, away }: CampaignSnapshot): readonly string[] {
  const machines = new Set(before?.status.machines.map(({ machine }) => machine))
  const known = new Map(before?.status.failures.map((failure) => [failure.fingerprint, failure]))
  return [
    ...((before?.away ?? null) === away ? [] : [describeAway({ away })]),
    ...status.machines
      .filter(({ machine }) => !machines.has(machine))
      .map(({ machine }) => `${machine} works on it`),
    ...status.failures.flatMap((failure) => {
      const { fingerprint, shrunk } = failure
      const earlier = known.get(fingerprint)
      if (earlier === undefined) return [describeFailure(failure, status.campaign.plan)]
      if (shrunk === null || earlier.shrunk !== null) return []
      return [
        'problem' in shrunk
          ? `${fingerprint} could not be shrunk: ${shrunk.problem}`
          : `${fingerprint} was shrunk to ${lengthOf(shrunk)}`,
      ]
    }),
  ]
}

function describeAway({ away }: Pick<CampaignSnapshot, 'away'>): string {
  return away === null ? 'the database responds again' : `the database is away: ${away}; waiting for it`
}

function stateIn(status: CampaignStatus | undefined): string {
  return status === undefined ? '' : JSON.stringify([status.campaign.isFinished, status.campaign.isStopped])
}
