import { Command, InvalidArgumentError } from 'commander'
import { writeManifestFile } from '../../sandbox/manifestFile.ts'
import { type SandboxOptions, startSandbox } from '../../sandbox/sandbox.ts'
import { UsageError } from '../../spec/errors.ts'
import { changeTexts, redactorOf } from '../../spec/secrets/redact.ts'
import { secretsOfNode } from '../../spec/secrets/url.ts'
import { type LineProxy, startLineProxy } from '../../targets/lineProxy.ts'
import { drivenGenesisS } from '../../targets/liveChain.ts'
import type { Output } from '../output.ts'
import { untilInterrupted } from '../untilInterrupted.ts'
import { wholeNumber } from '../wholeNumber.ts'

interface SandboxCommandOptions {
  readonly port?: number
  readonly forkUrl?: string
  readonly forkBlock?: number
  readonly manifest?: string
  readonly blockTimeMs: number
  readonly driven?: boolean
}

/** `plumbline sandbox`: chain and venues for people and for other implementations, until interrupted. */
export function sandboxCommand(output: Output): Command {
  return new Command('sandbox')
    .option('--port <port>', 'where the chain listens; a free port otherwise', port)
    .option('--fork-url <url>', 'start from the state of another node')
    .option('--fork-block <n>', 'the block to start from; needed with --fork-url', wholeNumber)
    .option('--manifest <file>', 'write the manifest here; otherwise it is printed')
    .option('--block-time-ms <n>', 'time between two blocks', wholeNumber, 1000)
    .option(
      '--driven',
      'for plumbline conform --target: do not mine, and let the suite inject connection faults',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline sandbox --manifest sandbox.json\n  plumbline sandbox --driven --manifest sandbox.json\n  plumbline sandbox --fork-url http://127.0.0.1:8545 --fork-block 120',
    )
    .action(async (options: SandboxCommandOptions) => {
      // Anvil names its upstream also in answers to requests.
      const redact = redactorOf(options.forkUrl === undefined ? [] : secretsOfNode(options.forkUrl))
      const sandbox = await startSandbox(sandboxOptions(options)).catch((error: unknown) => {
        throw changeTexts(error, redact)
      })
      let line: LineProxy | null = null
      try {
        if (options.driven) line = await startLineProxy(sandbox.manifest)
        // Listens for signals before the address is printed: whoever reads it may end this process.
        const over = untilInterrupted(sandbox.ended)
        const manifest = { ...sandbox.manifest, rpcUrl: line?.url ?? sandbox.manifest.rpcUrl }
        if (options.manifest === undefined) {
          output.out(JSON.stringify(manifest, null, 2))
        } else {
          await writeManifestFile(options.manifest, manifest)
          output.out(`manifest in ${options.manifest}`)
        }
        output.err(`chain 4663 at ${manifest.rpcUrl}; stop it with Ctrl-C`)
        const died = await over
        if (died !== null) throw changeTexts(died, redact)
      } finally {
        await line?.stop()
        await sandbox.stop()
      }
    })
}

function sandboxOptions({
  port: listen,
  forkUrl,
  forkBlock,
  blockTimeMs,
  driven,
}: SandboxCommandOptions): SandboxOptions {
  if ((forkUrl === undefined) !== (forkBlock === undefined)) {
    throw new UsageError(
      '--fork-url and --fork-block belong together',
      'Name the node and the block, so that the fork is the same every time.',
    )
  }
  if (driven && forkUrl !== undefined) {
    throw new UsageError('--driven and --fork-url exclude each other', 'A fork has the time of its upstream.')
  }
  return {
    ...(driven ? { timestampS: drivenGenesisS() } : { blockTimeMs }),
    ...(listen === undefined ? {} : { port: listen }),
    ...(forkUrl === undefined || forkBlock === undefined
      ? {}
      : { fork: { url: forkUrl, blockNumber: forkBlock } }),
  }
}

/** A TCP port. */
export function port(text: string): number {
  const value = wholeNumber(text)
  if (value < 1 || value > 65_535) throw new InvalidArgumentError('a port is between 1 and 65535.')
  return value
}
