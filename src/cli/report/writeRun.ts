import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeStagingFolder, writeTogether } from '../../host/writeWhole.ts'
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

/** Describes what the files of a run are made of, in addition to its outcome. */
export interface RunFiles {
  readonly run: Pick<About, 'replay' | 'baseUrl' | 'durationMs'>
  /** What is different from another run; null: there is none. */
  readonly change: ReportChange | null
  /** Puts the recordings of the run into a folder that need not exist, and draws them; null: it has none. */
  readonly record: ((folder: string) => Promise<Timeline[]> | Timeline[]) | null
}

/**
 * Writes the results, the verdicts, the report and the recordings of a run into a directory, all or none, and its comment into the
 * summary of the CI step.
 *
 * @throws {NotWrittenError}
 */
export async function writeRun(
  { result, verdicts }: Pick<Outcome, 'result' | 'verdicts'>,
  directory: string,
  { run, change, record }: RunFiles,
  output: Output,
): Promise<void> {
  const aside = makeStagingFolder(directory)
  try {
    const recordings = join(aside.path, RECORDINGS)
    const timelines = (await record?.(recordings)) ?? []
    const about = aboutRun(run)
    const report = reportFor(result, { about, timelines, change })
    const data = { 'verdicts.json': verdicts, 'results.json': result, 'about.json': about }
    const texts = Object.entries(data).map(([name, each]) => [name, `${JSON.stringify(each, null, 2)}\n`])
    const folders = record === null ? {} : { [RECORDINGS]: existsSync(recordings) ? recordings : null }
    const files = { ...Object.fromEntries(texts), ...reportFiles(result, report) }
    await writeTogether(directory, files, folders, output.err)
    appendStepSummary(runComment(report), output)
  } finally {
    aside.remove()
  }
}

const DIGITS = 12

/** Returns how a run went: when it ended, how long it took, what it checked, and which programs ran. */
function aboutRun(run: RunFiles['run']): About {
  const { plumbline, node, serviceSha256, anvil } = describePrograms()
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
  }
}
