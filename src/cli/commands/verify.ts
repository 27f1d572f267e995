import { Command } from 'commander'
import type { Verified } from '../../recordings/verify/verifyRecording.ts'
import { plural } from '../../reporting/plural.ts'
import { describeCounts } from '../../reporting/report/recordingSummary.ts'
import { type Ending, worstOf } from '../../runner/verdict.ts'
import { UsageError } from '../../spec/errors.ts'
import { endWith } from '../ending.ts'
import type { Output } from '../output.ts'
import type { ReportedSignature, SignatureOptions } from '../recordedSignatures.ts'
import { judgeEach, lastLine, readText, recordingFiles } from '../recordings.ts'

interface VerifyOptions extends SignatureOptions {
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
    .option(
      '--signer <file>',
      'public keys, one of which must have signed; with several files, one of each',
      (file: string, files: readonly string[] = []) => [...files, file],
    )
    .option('--no-execute', 'do not execute the blocks and calls again in a second EVM')
    .option('--json', 'print a line of JSON for each recording')
    .option('--quiet', 'print nothing but what is refused')
    .addHelpText(
      'after',
      `
A seal is not a signature: whoever alters a file can seal it again, with
another root. Demand the root, or the signature of a key that you trust. The
signatures of FILE are read from FILE.intoto.jsonl.

Examples:
  plumbline verify reports/golden
  plumbline verify run.json --root 0f3a…
  plumbline verify run.json --signer alice.pub --signer allowed_signers`,
    )
    .action(async (paths: readonly string[], options: VerifyOptions) => {
      checkOneRoot(options.root, paths)
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
function checkOneRoot(root: string | undefined, paths: readonly string[]): void {
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

async function verifyGenuine(path: string, options: VerifyOptions, output: Output): Promise<Ending> {
  // Loaded by whoever verifies, and not for the help.
  const proof = await import('../../recordings/verify/verifyRecording.ts')
  const { verdictOfVerified } = await import('../../recordings/verify/summarizeRecording.ts')
  const { recordedSignatures } = await import('../recordedSignatures.ts')
  const { execute, root: demanded, json, quiet } = options
  const text = readText(path)
  const unexecuted = await proof.verifyRecording(text, {
    execute: false,
    root: demanded,
  })
  const { recording } = unexecuted
  const signatures = recordedSignatures(path, { text, recording }, options)
  const verified = execute
    ? proof.withExecution(unexecuted, await proof.agreedExecution(recording))
    : unexecuted
  const { counts, failures, outcome, execution } = verified
  const ending = verdictOfVerified(verified)
  const { root } = recording.trailer
  const { absent, judgedAs } = verified
  const holds = ending === 'conforms'
  if (json)
    output.out(
      JSON.stringify({
        path,
        holds,
        root,
        signatures,
        counts,
        failures,
        outcome,
        absent,
        judgedAs,
        execution: plain(execution),
      }),
    )
  else if (!quiet || ending !== 'conforms') output.out(await describe(path, verified, ending, signatures))
  return ending
}

async function describe(
  path: string,
  { recording, counts, failures, outcome, execution, absent, judgedAs }: Verified,
  ending: Ending,
  signatures: readonly ReportedSignature[],
): Promise<string> {
  const { describeSignature } = await import('../recordedSignatures.ts')
  const { describeJudgedAs } = await import('../../recordings/verify/judgedAs.ts')
  const looked = describeCounts(counts)
  const proof = [
    describeExecution(execution),
    ...(absent.length === 0 ? [] : [`  not recorded, as it was made from outside: ${absent.join(', ')}`]),
    ...(judgedAs === null ? [] : describeJudgedAs(judgedAs).map((line) => `  ${line}`)),
    `  root ${recording.trailer.root}`,
    ...signatures.map(describeSignature),
  ]
  if (ending === 'conforms') return [`${path}: holds (${looked})`, ...proof].join('\n')
  const why = [
    ...failures,
    ...(outcome.ended === 'as-expected'
      ? []
      : [`${placeOf(outcome)}: expected ${outcome.expected}, actual ${outcome.actual}`]),
    ...(counts.verdicts === 0 ? ['nothing was judged'] : []),
  ]
  const verdict =
    ending === 'does-not-conform' ? 'genuine, but the run violated requirements' : 'genuine, and inconclusive'
  return [`${path}: ${verdict} (${looked})`, ...why.map((line) => `  ${line}`), ...proof].join('\n')
}

/** Where a run ended early: a step of its script, or the case of a service that was reached from outside. */
function placeOf({ path, case: ended }: Verified['outcome']): string {
  if (path !== null) return `step ${path}`
  return ended?.requirement ? `the case, ${ended.requirement}` : 'the case'
}

function describeExecution(execution: Verified['execution']): string {
  if (execution === null) return '  not executed: --no-execute'
  const { blocks, transactions, replies, verdicts, venueQuotes, ledgers, unjudged } = execution
  const looked = [
    plural(blocks, 'block'),
    plural(transactions, 'transaction'),
    plural(replies, 'reply', 'replies'),
    plural(venueQuotes, 'quote of a venue', 'quotes of venues'),
  ]
  const holdings = ledgers.reduce((sum, ledger) => sum + ledger.holdings.length, 0)
  const others = unjudged.length === 0 ? '' : `; not judged: replies to ${unjudged.join(', ')}`
  const replaced = plural(execution.withReplacedCode.length, 'quote or build', 'quotes and builds')
  const why = `; not judged, as the run had replaced contracts: ${replaced}`
  const without = execution.withReplacedCode.length === 0 ? '' : why
  return [
    `  executed in a second EVM without a difference: ${looked.join(', ')}${others}`,
    `  judged by it: ${plural(verdicts.size, 'quote or build', 'quotes and builds')}, ${plural(holdings, 'changed balance')} to the wei${without}`,
  ].join('\n')
}

/** Returns an execution as JSON holds it: amounts as decimal text. The verdicts are among the counts and failures. */
function plain(execution: Verified['execution']): unknown {
  if (execution === null) return null
  const { verdicts, ledgers, ...rest } = execution
  const text = ({ beforeRaw, afterRaw, ...of }: (typeof ledgers)[number]['holdings'][number]) => ({
    ...of,
    beforeRaw: beforeRaw.toString(),
    afterRaw: afterRaw.toString(),
  })
  return {
    ...rest,
    judged: verdicts.size,
    money: ledgers.map(({ holdings, ...of }) => ({ ...of, holdings: holdings.map(text) })),
  }
}
