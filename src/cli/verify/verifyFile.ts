import { readForeignFile } from '../../host/foreignFile.ts'
import { PACKAGE_NAME } from '../../host/version.ts'
import { ChainInDoubtError } from '../../recordings/execute/errors.ts'
import { parseRecording } from '../../recordings/format/file.ts'
import type { EvmReplay } from '../../recordings/replay/evmReplay.ts'
import { checkSignedVerdicts } from '../../recordings/sign/checkSignatures.ts'
import {
  describeBasis,
  provedVerdict,
  verdictOfVerified,
} from '../../recordings/verify/summarizeRecording.ts'
import { type Verified, verifyParsed } from '../../recordings/verify/verifyRecording.ts'
import { plural } from '../../reporting/plural.ts'
import { describeCounts } from '../../reporting/report/recordingSummary.ts'
import type { RunVerdict } from '../../reporting/results.ts'
import {
  describeSignature,
  type ReportedSignature,
  recordedSignatures,
} from '../recordings/recordedSignatures.ts'
import type { Said } from '../recordings/recordings.ts'

const MIB = 1_048_576

/** Options for verifying a recording. Plain data. */
export interface VerifyFileOptions {
  /** Files of public keys; one key of each must have signed. */
  readonly signer?: readonly string[]
  readonly root?: string
  readonly nonce?: string
  readonly execute: boolean
  readonly maxSizeMib: number
}

/**
 * Verifies one recording, as `plumbline verify` does.
 *
 * @param replay runs the script again.
 * @throws the errors of `verifyRecording`, of the signatures and of reading the file: the recording is refused.
 */
export async function verifyFile(path: string, options: VerifyFileOptions, replay: EvmReplay): Promise<Said> {
  try {
    return await verifyGenuine(path, options, replay)
  } catch (error) {
    if (!(error instanceof ChainInDoubtError)) throw error
    const { message, advice, differences } = error
    const json = { path, holds: false, inDoubt: message, differences }
    return { ending: 'inconclusive', json, text: `${path}: ${message}\n  ${advice}` }
  }
}

async function verifyGenuine(path: string, options: VerifyFileOptions, replay: EvmReplay): Promise<Said> {
  const { execute, root: demanded, nonce } = options
  const text = readForeignFile(
    path,
    options.maxSizeMib * MIB,
    ' If you trust where it comes from, raise --max-size-mib.',
  )
  const recording = parseRecording(text)
  const signatures = recordedSignatures(path, { text, recording }, options.signer ?? [])
  const verified = await verifyParsed(recording, {
    ...{ root: demanded, nonce, execute, replay: replay.prove },
    clientTask: async (id) => (await import('../suites/clientSuite.ts')).clientTask(id),
  })
  const { counts, failures, outcome, absent, judgedAs, execution } = verified
  checkSignedVerdicts(signatures, verdictOfVerified(verified), execution !== null)
  const ending = provedVerdict(verified)
  const json = {
    ...{ path, holds: ending === 'conforms', root: recording.trailer.root, signatures },
    ...{ counts, failures, outcome, absent, judgedAs },
    ...{ execution: plain(execution), replay: verified.replay },
  }
  return { ending, json, text: describe(path, verified, ending, signatures) }
}

function describe(
  path: string,
  { recording, counts, failures, outcome, execution, replay, absent, judgedAs }: Verified,
  ending: RunVerdict,
  signatures: readonly ReportedSignature[],
): string {
  const why = [
    ...failures,
    ...(outcome.ended === 'as-expected'
      ? []
      : [`${placeOf(outcome)}: expected ${outcome.expected}, actual ${outcome.actual}`]),
    ...(counts.verdicts === 0 ? ['nothing was judged'] : []),
  ]
  return [
    `${path}: ${HEADLINES[ending]} (${describeCounts(counts)})`,
    ...(ending === 'conforms' ? [] : why.map((line) => `  ${line}`)),
    describeExecution(execution),
    ...describeReplay(replay),
    ...(absent.length === 0 ? [] : [`  not recorded, as it was made from outside: ${absent.join(', ')}`]),
    ...describeBasis({ judgedAs, replay }).map((line) => `  ${line}`),
    `  root ${recording.trailer.root}`,
    ...signatures.map(describeSignature),
  ].join('\n')
}

const HEADLINES: Readonly<Record<RunVerdict, string>> = {
  conforms: 'holds',
  'does-not-conform': 'genuine, but the run violated requirements',
  inconclusive: 'genuine, and inconclusive',
}

/** Returns the place at which a run ended early: a step of its script, or the case of an outside service. */
function placeOf({ path, case: ended }: Verified['outcome']): string {
  if (path !== null) return `step ${path}`
  return ended?.requirement ? `the case, ${ended.requirement}` : 'the case'
}

function describeExecution(execution: Verified['execution']): string {
  if (execution === null) return '  not executed: --no-execute'
  const { blocks, transactions, replies, verdicts, venueQuotes, ledgers, unjudged, withReplacedCode } =
    execution
  const looked = [
    plural(blocks, 'block'),
    plural(transactions, 'transaction'),
    plural(replies, 'reply', 'replies'),
    plural(venueQuotes, 'quote of a venue', 'quotes of venues'),
  ]
  const holdings = ledgers.reduce((sum, ledger) => sum + ledger.holdings.length, 0)
  const others = unjudged.length === 0 ? '' : `; not judged: replies to ${unjudged.join(', ')}`
  const without =
    withReplacedCode.length === 0
      ? ''
      : `; not judged, as the run had replaced contracts: ${plural(withReplacedCode.length, 'quote or build', 'quotes and builds')}`
  return [
    `  executed in a second EVM without a difference: ${looked.join(', ')}${others}`,
    `  judged by it: ${plural(verdicts.size, 'quote or build', 'quotes and builds')}, ${plural(holdings, 'changed balance')} to the wei${without}`,
  ].join('\n')
}

/** Returns the lines about running a recording again; none if nothing was run. */
function describeReplay(replay: Verified['replay']): readonly string[] {
  switch (replay?.kind) {
    case 'identical':
      return [`  run again by the reference: identical in ${plural(replay.entries, 'entry', 'entries')}`]
    case 'other-version':
      return [
        `  not run again: it was made by Plumbline ${replay.version}; \`npx ${PACKAGE_NAME}@${replay.version} verify\` runs it again`,
      ]
    default:
      return []
  }
}

/** Returns an execution for JSON: amounts as decimal text. Verdicts are only counted, since `counts` and `failures` hold them. */
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
