import { Command } from 'commander'
import type { Verified } from '../../recordings/verify/verifyRecording.ts'
import { plural } from '../../reporting/plural.ts'
import { describeCounts } from '../../reporting/report/recordingSummary.ts'
import { type Ending, worstOf } from '../../runner/verdict.ts'
import { UsageError } from '../../spec/errors.ts'
import { endWith } from '../ending.ts'
import type { Output } from '../output.ts'
import { judgeEach, lastLine, readText, recordingFiles } from '../recordings.ts'

interface VerifyOptions {
  readonly root?: string
  readonly execute: boolean
  readonly json?: boolean
  readonly quiet?: boolean
}

/** `plumbline verify`: offline proof of recordings. */
export function verifyCommand(output: Output, finish: (ending: Ending) => void): Command {
  return new Command('verify')
    .argument('<recording...>', 'files, or directories of them')
    .option('--root <hex>', 'the root that the one recording must have: 64 digits')
    .option('--no-execute', 'do not execute the blocks and calls again in a second EVM')
    .option('--json', 'print a line of JSON for each recording')
    .option('--quiet', 'print nothing but what is refused')
    .addHelpText(
      'after',
      '\nA seal is not a signature: whoever alters a file can seal it again, with another root.\n\nExamples:\n  plumbline verify reports/golden\n  plumbline verify run.json --root 0f3a…',
    )
    .action(async (paths: readonly string[], options: VerifyOptions) => {
      demandOneRoot(options.root, paths)
      const endings = await judgeEach(
        paths,
        output,
        (file) => verifyFile(file, options, output),
        (path, refused) => {
          if (options.json) output.out(JSON.stringify({ path, holds: false, refused }))
        },
      )
      if (!options.quiet && !options.json && endings.length > 1) {
        output.out(
          `${endings.filter((ending) => ending === 'conforms').length} of ${endings.length} recordings hold`,
        )
      }
      const worst = worstOf(endings)
      finish(endWith(worst, options, output, lastLine(worst)))
    })
}

/** @throws {UsageError} this is no root, or there is more than one recording that should have it. */
function demandOneRoot(root: string | undefined, paths: readonly string[]): void {
  if (root === undefined) return
  if (!/^[0-9a-f]{64}$/i.test(root))
    throw new UsageError(
      `--root ${root} is no root`,
      'Give all 64 hexadecimal digits, as verify prints them.',
    )
  if (recordingFiles(paths).length !== 1)
    throw new UsageError('--root is of one recording', 'Verify each recording with its own root.')
}

async function verifyFile(path: string, options: VerifyOptions, output: Output): Promise<Ending> {
  const { ChainInDoubtError } = await import('../../recordings/execute/errors.ts')
  try {
    return await verifyGenuine(path, options, output)
  } catch (error) {
    if (!(error instanceof ChainInDoubtError)) throw error
    const { message, advice, differences } = error
    if (options.json) output.out(JSON.stringify({ path, holds: false, inDoubt: message, differences }))
    else output.out(`${path}: ${message}\n  ${advice}`)
    return 'inconclusive'
  }
}

async function verifyGenuine(
  path: string,
  { root: demanded, execute, json, quiet }: VerifyOptions,
  output: Output,
): Promise<Ending> {
  // Loaded by whoever verifies, and not for the help.
  const { verifyRecording } = await import('../../recordings/verify/verifyRecording.ts')
  const { verdictOfVerified } = await import('../../recordings/verify/summarizeRecording.ts')
  const verified = await verifyRecording(readText(path), { execute, root: demanded })
  const { root } = verified.recording.trailer
  const ending = verdictOfVerified(verified)
  const { counts, failures, outcome, execution } = verified
  const holds = ending === 'conforms'
  if (json) output.out(JSON.stringify({ path, holds, root, counts, failures, outcome, execution }))
  else if (!quiet || ending !== 'conforms') output.out(describe(path, verified, ending))
  return ending
}

function describe(
  path: string,
  { recording, counts, failures, outcome, execution }: Verified,
  ending: Ending,
): string {
  const looked = describeCounts(counts)
  const root = `${describeExecution(execution)}\n  root ${recording.trailer.root}`
  if (ending === 'conforms') return `${path}: holds (${looked})\n${root}`
  const why = [
    ...failures,
    ...(outcome.ended === 'as-told'
      ? []
      : [`step ${outcome.path}: expected ${outcome.expected}, actual ${outcome.seen}`]),
    ...(counts.verdicts === 0 ? ['nothing was judged'] : []),
  ]
  const verdict =
    ending === 'does-not-conform' ? 'genuine, but the run violated requirements' : 'genuine, and inconclusive'
  return [`${path}: ${verdict} (${looked})`, ...why.map((line) => `  ${line}`), root].join('\n')
}

function describeExecution(execution: Verified['execution']): string {
  if (execution === null) return '  not executed: --no-execute'
  const { blocks, transactions, replies } = execution
  const looked = [
    plural(blocks, 'block'),
    plural(transactions, 'transaction'),
    plural(replies, 'reply', 'replies'),
  ]
  return `  executed in a second EVM without a difference: ${looked.join(', ')}`
}
