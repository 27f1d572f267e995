import { Command } from 'commander'
import type { ReportOptions } from '../report/reportRun.ts'
import type { DeclareCommand } from '../terminal/output.ts'

export const reportCommand: DeclareCommand = (output, finish) => {
  return new Command('report')
    .description(
      'Render a run again: report.html, summary.md, comment.md and junit.xml. The exit code is the verdict of the run.',
    )
    .argument('[dir]', 'the directory of a run; default: reports/latest')
    .option('--against <dir>', 'an earlier run: show what changed since')
    .option(
      '--recording <file...>',
      'draw these recordings, files or directories of them; without a run, the page is headed by their own verdict',
    )
    .option('--out <dir>', 'where the files go; otherwise where the run is')
    .option('--json', 'print the report as JSON, and write nothing')
    .option('--quiet', 'print nothing but the verdict')
    .addHelpText(
      'after',
      `
Examples:
  plumbline report
  plumbline report reports/conform --against reports/last-week
  plumbline report --recording reports/golden/reorg.moves-to-later-block.json`,
    )
    .action(async (directory: string | undefined, options: ReportOptions) => {
      const { reportRun } = await import('../report/reportRun.ts')
      finish(await reportRun(directory, options, output))
    })
}
