import { type ConfirmHistory, judgeConfirmHistory, type ObservedReport } from '../oracles/confirmHistory.ts'
import type { Verdict } from '../oracles/verdict.ts'
import type { Run } from './runLog.ts'

/** Reports, and the builds that they are for; from a run, or from a recording of one. */
export interface JudgedReports {
  readonly builds: Run['builds']
  readonly reports: readonly Pick<Run['reports'][number], 'moments'>[]
}

/**
 * Judges all reports of a run. Of a report with two moments the one that explains its answer counts.
 */
export function judgeReports({ builds, reports }: JudgedReports): readonly Verdict[] {
  const chosen: ObservedReport[] = []
  for (const { moments } of reports) {
    const explains = (moment: ObservedReport) => failuresOf(builds, [...chosen, moment]) === before
    const before = failuresOf(builds, chosen)
    chosen.push(moments.find(explains) ?? moments[0])
  }
  return judgeConfirmHistory({ builds, reports: chosen })
}

function failuresOf(builds: ConfirmHistory['builds'], reports: readonly ObservedReport[]): number {
  return judgeConfirmHistory({ builds, reports }).filter(({ outcome }) => outcome === 'fail').length
}
