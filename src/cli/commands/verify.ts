import { Command } from 'commander'
import { ContradictionError } from '../../recordings/verify/errors.ts'
import { type Verified, verifyRecording } from '../../recordings/verify/verifyRecording.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { describeError, type Output } from '../output.ts'
import { codeOfUnreadable, readText, recordingFiles, worstOf } from '../recordings.ts'

interface VerifyOptions {
  readonly json?: boolean
  readonly quiet?: boolean
}

/** `plumbline verify`: offline proof of recordings. */
export function verifyCommand(output: Output, finish: (code: ExitCode) => void): Command {
  return new Command('verify')
    .description(
      'Prove recordings offline: unaltered, free of contradiction, and judged today as they were then.',
    )
    .argument('<recording...>', 'files, or directories of them')
    .option('--json', 'print a line of JSON for each recording')
    .option('--quiet', 'print nothing but what is refused')
    .addHelpText('after', '\nExample:\n  plumbline verify reports/golden')
    .action(async (paths: readonly string[], options: VerifyOptions) => {
      const codes: ExitCode[] = []
      for (const path of recordingFiles(paths)) codes.push(await verifyFile(path, options, output))
      if (!options.quiet && !options.json && codes.length > 1) {
        output.out(
          `${codes.filter((code) => code === EXIT.conforms).length} of ${codes.length} recordings hold`,
        )
      }
      finish(worstOf(codes))
    })
}

async function verifyFile(path: string, { json, quiet }: VerifyOptions, output: Output): Promise<ExitCode> {
  try {
    const verified = await verifyRecording(readText(path))
    const code = codeOf(verified)
    const { counts, failures, outcome } = verified
    if (json) output.out(JSON.stringify({ path, holds: code === EXIT.conforms, counts, failures, outcome }))
    else if (!quiet || code !== EXIT.conforms) output.out(describe(path, verified, code))
    return code
  } catch (error) {
    output.err(`${path}: REFUSED\n${describeError(error)}`)
    return error instanceof ContradictionError ? EXIT.doesNotConform : codeOfUnreadable(error)
  }
}

/** A genuine recording tells of a run: how that run ended is the answer. */
function codeOf({ counts, failures, outcome }: Verified): ExitCode {
  if (failures.length > 0 || outcome.ended === 'unexpected') return EXIT.doesNotConform
  const empty = counts.exchanges === 0 || counts.verdicts === 0
  return empty || outcome.ended === 'impossible' ? EXIT.inconclusive : EXIT.conforms
}

function describe(path: string, { counts, failures, outcome }: Verified, code: ExitCode): string {
  const looked = `${counts.exchanges} exchanges, ${counts.roundTrips} round trips, ${counts.blocks} blocks, ${counts.reports} reports, ${counts.verdicts} verdicts`
  if (code === EXIT.conforms) return `${path}: holds (${looked})`
  const why = [
    ...failures,
    ...(outcome.ended === 'as-told'
      ? []
      : [`step ${outcome.path}: expected ${outcome.expected}, saw ${outcome.seen}`]),
    ...(counts.verdicts === 0 ? ['nothing was judged'] : []),
  ]
  const verdict =
    code === EXIT.doesNotConform ? 'genuine, of a run that broke its promises' : 'genuine, and inconclusive'
  return [`${path}: ${verdict} (${looked})`, ...why.map((line) => `  ${line}`)].join('\n')
}
