import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readBuilt } from '../../host/built.ts'
import { makeStagingFolder, writeTogether, writeWhole } from '../../host/writeWhole.ts'
import { describePrograms } from '../../recordings/record/environment.ts'
import { runComment } from '../../reporting/documents/run.ts'
import { ABOUT_SCHEMA, type About } from '../../reporting/report/about.ts'
import type { ReportChange } from '../../reporting/report/model.ts'
import { specificationChecked } from '../../reporting/report/specification.ts'
import type { Timeline } from '../../reporting/timeline/model.ts'
import type { Outcome } from '../../runner/run/runRequest.ts'
import { RECORDINGS } from '../recordings/recordings.ts'
import { appendStepSummary } from '../run/keepResults.ts'
import type { Output } from '../terminal/output.ts'
import { reportFiles, reportFor } from './writeReport.ts'

/** The parts of the files of a run in addition to its outcome. */
export interface RunFiles {
  readonly run: Pick<About, 'replay' | 'baseUrl' | 'durationMs'>
  /** Differences from another run; null: there is no other run. */
  readonly change: ReportChange | null
  /** Writes the recordings of the run into a folder, which need not exist, and draws them; null: there are none. */
  readonly record: ((folder: string) => Promise<Timeline[]> | Timeline[]) | null
}

/**
 * Writes the results, the verdicts, the report and the recordings of a run into a directory, all or none. Also appends its
 * comment to the summary of the CI step.
 *
 * @throws {NotWrittenError}
 */
export async function writeRun(
  outcome: Judged,
  directory: string,
  { run, change, record }: RunFiles,
  output: Output,
): Promise<void> {
  const aside = makeStagingFolder(directory)
  try {
    const recordings = join(aside.path, RECORDINGS)
    const timelines = (await record?.(recordings)) ?? []
    const about = aboutRun(run)
    const report = reportFor(outcome.result, { about, timelines, change })
    const folders = record === null ? {} : { [RECORDINGS]: existsSync(recordings) ? recordings : null }
    const files = { ...dataFiles(outcome, about), ...reportFiles(outcome.result, report) }
    await writeTogether(directory, files, folders, output.err)
    appendStepSummary(runComment(report), output)
  } finally {
    aside.remove()
  }
}

/** Writes the results, verdicts and report synchronously, one by one: this process is about to end. @throws {NotWrittenError} */
export function writeRunNow(outcome: Judged, directory: string, run: RunFiles['run']): void {
  const about = aboutRun(run)
  const write = (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) writeWhole(join(directory, name), text)
  }
  write(dataFiles(outcome, about))
  write(reportFiles(outcome.result, reportFor(outcome.result, { about })))
}

type Judged = Pick<Outcome, 'result' | 'verdicts'>

function dataFiles({ result, verdicts }: Judged, about: About): Readonly<Record<string, string>> {
  const data = { 'verdicts.json': verdicts, 'results.json': result, 'about.json': about }
  return Object.fromEntries(
    Object.entries(data).map(([name, each]) => [name, `${JSON.stringify(each, null, 2)}\n`]),
  )
}

const DIGITS = 12

/** Returns the facts about a run: its end, its duration, the specification and the versions of the programs. */
function aboutRun(run: RunFiles['run']): About {
  const { plumbline, node, serviceSha256, anvil } = describePrograms()
  const bundled = readBuilt('bundled.json') as Required<About>['bundled'] | null
  return {
    schema: ABOUT_SCHEMA,
    ...run,
    endedAt: new Date().toISOString(),
    specification: specificationChecked(),
    versions: [
      { name: 'Plumbline', value: plumbline },
      { name: 'Node', value: node },
      { name: 'Anvil', value: `${anvil.platform} ${anvil.sha256.slice(0, DIGITS)}` },
      { name: 'Reference', value: serviceSha256.slice(0, DIGITS) },
    ],
    ...(bundled === null ? {} : { bundled }),
  }
}
