import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { verdictInWords } from '../../reporting/baseline.ts'
import { compareRuns } from '../../reporting/report/compareRuns.ts'
import type { Ending } from '../../runner/verdict.ts'
import type { Output } from '../output.ts'
import { drawRecordings, RECORDINGS } from '../report/drawScenarios.ts'
import { readMatrix, readRatios, readRun } from '../report/readRun.ts'
import { reportHistory } from '../report/reportHistory.ts'
import { reportRecordings } from '../report/reportRecordings.ts'
import { reportFor, writeReport } from '../report/writeReport.ts'

interface ReportOptions {
  readonly against?: string
  readonly beside?: string[]
  readonly recording?: string[]
  readonly history?: string[]
  readonly matrix?: string
  readonly bench?: string
  readonly out?: string
  readonly json?: boolean
  readonly quiet?: boolean
}

/** `plumbline report`: renders a run again. Its exit code is the run's own. */
export function reportCommand(output: Output, finish: (ending: Ending) => void): Command {
  return new Command('report')
    .argument('[dir]', 'the directory of a run; default: reports/latest')
    .option('--against <dir>', 'an earlier run: show what changed since')
    .option('--beside <dir...>', 'other runs: show what each does where the specification is silent')
    .option(
      '--recording <file...>',
      'draw these recordings, files or directories of them; without a run, the page is headed by their own verdict',
    )
    .option(
      '--history <dir...>',
      'instead: a page of these runs in the order of their dates, what broke when',
    )
    .option('--matrix <file>', 'show this kill matrix, which `plumbline prove` wrote')
    .option('--bench <file>', 'show these ratios, which `npm run bench` wrote')
    .option('--out <dir>', 'where the files go; otherwise where the run is')
    .option('--json', 'print the report as JSON, and write nothing')
    .option('--quiet', 'print nothing')
    .addHelpText(
      'after',
      `
Examples:
  plumbline report
  plumbline report reports/conform --against reports/last-week
  plumbline report reports/latest --matrix reports/latest-prove/matrix.json --bench reports/bench/ratios.json
  plumbline report reports/mine --beside reports/theirs reports/others
  plumbline report --recording reports/golden/reorg.moves-to-later-block.json
  plumbline report --history reports/monday reports/tuesday reports/latest`,
    )
    .action(async (directory: string | undefined, options: ReportOptions) => {
      if (options.history !== undefined) return finish(reportHistory(options.history, options, output))
      if (directory === undefined && options.recording !== undefined) {
        return finish(await reportRecordings(options.recording, options, output))
      }
      const run = readRun(directory ?? 'reports/latest')
      const earlier = options.against === undefined ? null : readRun(options.against)
      const kept = join(run.directory, RECORDINGS)
      const parts = {
        about: run.about,
        beside: (options.beside ?? []).map((path) => {
          const { results } = readRun(path)
          return { name: `${results.target} (${path})`, run: results }
        }),
        ...(options.matrix === undefined ? {} : { killMatrix: readMatrix(options.matrix) }),
        ...(options.bench === undefined ? {} : { ratios: [...readRatios(options.bench)] }),
        change: earlier === null ? null : compareRuns(earlier.results, run.results, options.against ?? ''),
        timelines: drawRecordings([...(existsSync(kept) ? [kept] : []), ...(options.recording ?? [])]),
      }
      const out = options.out ?? run.directory
      const report = options.json ? reportFor(run.results, parts) : writeReport(run.results, out, parts)
      if (options.json) output.out(JSON.stringify(report))
      else if (!options.quiet)
        output.out(`${report.target}: ${verdictInWords(report)}; report in ${out}/report.html`)
      finish(report.verdict)
    })
}
