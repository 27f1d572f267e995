import { Command } from 'commander'
import type { Ending } from '../../runner/verdict/verdict.ts'
import { UsageError } from '../../spec/errors.ts'
import { endAsWorst, recordingFiles, sayOfEach } from '../recordings/recordings.ts'
import type { Output, Shown } from '../terminal/output.ts'
import { ConfinedVerifier, type StartVerifier } from '../verify/confinedVerifier.ts'
import type { VerifyFileOptions } from '../verify/verifyFile.ts'
import { atLeastOne } from '../wholeNumber.ts'

interface VerifyOptions extends VerifyFileOptions, Shown {
  readonly maxSeconds: number
  readonly maxMemoryMib: number
}

/** @param start starts the verifier. Default: a separate process with limits on its time and memory. */
export function verifyCommand(
  output: Output,
  finish: (ending: Ending) => void,
  start?: StartVerifier,
): Command {
  return new Command('verify')
    .description(
      'Prove recordings offline: seal intact, no contradiction, and judged today as they were then.',
    )
    .argument('<recording...>', 'files, or directories of them')
    .option('--root <hex>', 'the root that the one recording must have: 64 digits')
    .option(
      '--signer <file>',
      'public keys, one of which must have signed; with several files, one of each',
      (file: string, files: readonly string[] = []) => [...files, file],
    )
    .option('--nonce <text>', 'what the recordings must have been made with, as you gave it to their maker')
    .option(
      '--no-execute',
      'neither execute the calls of the service in a second EVM, nor run the script again on it',
    )
    .option('--max-seconds <n>', 'how long one recording may take', atLeastOne, 60)
    .option('--max-memory-mib <n>', 'how much memory one recording may take', atLeastOne, 1_024)
    .option('--max-size-mib <n>', 'how large a file may be', atLeastOne, 64)
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
      const { maxSeconds, maxMemoryMib, json: _json, quiet: _quiet, ...fileOptions } = options
      const limits = { seconds: maxSeconds, memoryMib: maxMemoryMib }
      const verifier = new ConfinedVerifier(fileOptions, limits, start)
      const verify = (file: string) => verifier.verify(file)
      const endings = await sayOfEach(paths, options, output, verify, { holds: false })
      await verifier.stop()
      const holding = endings.filter((ending) => ending === 'conforms').length
      if (!options.quiet && !options.json && endings.length > 1)
        output.out(`${holding} of ${endings.length} recordings hold`)
      finish(endAsWorst(endings, options, output))
    })
}

/** @throws {UsageError} the root is malformed, or not exactly one recording is named. */
function checkOneRoot(root: string | undefined, paths: readonly string[]): void {
  if (root === undefined) return
  if (!/^[0-9a-f]{64}$/i.test(root))
    throw new UsageError(
      `--root ${root} is not a root`,
      'Give all 64 hexadecimal digits, as verify prints them.',
    )
  if (recordingFiles(paths).length !== 1)
    throw new UsageError('--root is for one recording', 'Verify each recording with its own root.')
}
