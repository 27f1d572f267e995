import { Command } from 'commander'
import type { SignOptions } from '../recordings/signRecordings.ts'
import type { DeclareCommand } from '../terminal/output.ts'

export const signCommand: DeclareCommand = (output, finish) => {
  return new Command('sign')
    .description(
      'Sign recordings: state that verify found them genuine, with the signer, the time and the versions.',
    )
    .argument('<recording...>', 'files, or directories of them')
    .requiredOption('--key <file>', 'a private Ed25519 key: OpenSSH or PEM, without a passphrase')
    .option('--name <text>', 'who signs, for people to read; otherwise the comment of the key')
    .option('--no-execute', 'do not execute the blocks and calls again in a second EVM')
    .option('--json', 'print a line of JSON for each recording')
    .option('--quiet', 'print nothing but what is refused')
    .addHelpText(
      'after',
      `
Verifies each recording, and signs its root with the result. The
signatures of FILE are in FILE.intoto.jsonl: a DSSE envelope with an in-toto
statement for each signer. Sign again with another key to add one.

Exit code 0: every recording is signed, also one whose run violated a requirement.

Examples:
  plumbline keys signing release.key
  plumbline sign run.json --key release.key
  plumbline verify run.json --signer release.key.pub`,
    )
    .action(async (paths: readonly string[], options: SignOptions) => {
      const { signRecordings } = await import('../recordings/signRecordings.ts')
      finish(await signRecordings(paths, options, output))
    })
}
