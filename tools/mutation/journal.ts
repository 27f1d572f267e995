import { appendFileSync, mkdirSync } from 'node:fs'
import { relative } from 'node:path'
import type { MutantResult } from '@stryker-mutator/api/core'
import type { Reporter } from '@stryker-mutator/api/report'

const FOLDER = 'reports/mutation'

/** Writes each verdict down as it falls, so that a run that is cut off has lost nothing. */
export class Journal implements Reporter {
  constructor() {
    mkdirSync(FOLDER, { recursive: true })
  }

  onMutantTested({
    fileName,
    location,
    mutatorName,
    replacement,
    status,
    ...rest
  }: Readonly<MutantResult>): void {
    const line = {
      at: `${relative(process.cwd(), fileName)}:${location.start.line}:${location.start.column}`,
      mutatorName,
      replacement,
      status,
      static: rest.static ?? false,
      reason: rest.statusReason,
      killedBy: rest.killedBy,
      tests: rest.testsCompleted,
      covered: rest.coveredBy?.length,
    }
    appendFileSync(`${FOLDER}/journal.jsonl`, `${JSON.stringify(line)}\n`)
  }
}
