import { Command } from 'commander'
import type { Verified } from '../../recordings/verify/verifyRecording.ts'
import { type Ending, worstOf } from '../../runner/verdict.ts'
import { endWith } from '../ending.ts'
import { describeError, type Output } from '../output.ts'
import { judgeEach, readText } from '../recordings.ts'

interface VerifyOptions {
  readonly json?: boolean
  readonly quiet?: boolean
}

/** `plumbline verify`: offline proof of recordings. */
export function verifyCommand(output: Output, finish: (ending: Ending) => void): Command {
  return new Command('verify')
    .argument('<recording...>', 'files, or directories of them')
    .option('--json', 'print a line of JSON for each recording')
    .option('--quiet', 'print nothing but what is refused')
    .addHelpText('after', '\nExample:\n  plumbline verify reports/golden')
    .action(async (paths: readonly string[], options: VerifyOptions) => {
      const endings = await judgeEach(
        paths,
        (file) => verifyFile(file, options, output),
        (path, error) => refuse(path, error, options, output),
      )
      if (!options.quiet && !options.json && endings.length > 1) {
        output.out(
          `${endings.filter((ending) => ending === 'conforms').length} of ${endings.length} recordings hold`,
        )
      }
      finish(endWith(worstOf(endings), options, output))
    })
}

async function verifyFile(path: string, { json, quiet }: VerifyOptions, output: Output): Promise<Ending> {
  // Loaded by whoever verifies, and not for the help.
  const { verifyRecording } = await import('../../recordings/verify/verifyRecording.ts')
  const { verdictOfVerified } = await import('../../recordings/verify/summarizeRecording.ts')
  const verified = await verifyRecording(readText(path))
  const ending = verdictOfVerified(verified)
  const { counts, failures, outcome } = verified
  if (json) output.out(JSON.stringify({ path, holds: ending === 'conforms', counts, failures, outcome }))
  else if (!quiet || ending !== 'conforms') output.out(describe(path, verified, ending))
  return ending
}

function refuse(path: string, error: unknown, { json }: VerifyOptions, output: Output): void {
  output.err(`${path}: REFUSED\n${describeError(error)}`)
  const refused = error instanceof Error ? error.message : String(error)
  if (json) output.out(JSON.stringify({ path, holds: false, refused }))
}

function describe(path: string, { counts, failures, outcome }: Verified, ending: Ending): string {
  const looked = `${counts.exchanges} exchanges, ${counts.roundTrips} round trips, ${counts.blocks} blocks, ${counts.reports} reports, ${counts.verdicts} verdicts`
  if (ending === 'conforms') return `${path}: holds (${looked})`
  const why = [
    ...failures,
    ...(outcome.ended === 'as-told'
      ? []
      : [`step ${outcome.path}: expected ${outcome.expected}, actual ${outcome.seen}`]),
    ...(counts.verdicts === 0 ? ['nothing was judged'] : []),
  ]
  const verdict =
    ending === 'does-not-conform' ? 'genuine, but the run violated requirements' : 'genuine, and inconclusive'
  return [`${path}: ${verdict} (${looked})`, ...why.map((line) => `  ${line}`)].join('\n')
}
