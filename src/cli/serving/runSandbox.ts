import { writeManifestFile } from '../../sandbox/manifestFile.ts'
import { type SandboxOptions, startSandbox } from '../../sandbox/sandbox.ts'
import { UsageError } from '../../spec/errors.ts'
import { changeTexts, redactorOf } from '../../spec/secrets/redact.ts'
import { secretsOfNode } from '../../spec/secrets/url.ts'
import { type LineProxy, startLineProxy } from '../../targets/chain/lineProxy.ts'
import { drivenGenesisS } from '../../targets/chain/liveChain.ts'
import type { Output } from '../terminal/output.ts'
import { untilInterrupted } from '../terminal/untilInterrupted.ts'

export interface SandboxCommandOptions {
  readonly port?: number
  readonly forkUrl?: string
  readonly forkBlock?: number
  readonly manifest?: string
  readonly blockTimeMs: number
  readonly driven?: boolean
}

/**
 * Runs `plumbline sandbox`: the chain and its venues, until interrupted.
 *
 * @throws {UsageError} flags exclude each other, or one needs another.
 */
export async function runSandbox(options: SandboxCommandOptions, output: Output): Promise<void> {
  // Anvil also names its upstream in responses.
  const redact = redactorOf(options.forkUrl === undefined ? [] : secretsOfNode(options.forkUrl))
  const sandbox = await startSandbox(sandboxOptions(options)).catch((error: unknown) => {
    throw changeTexts(error, redact)
  })
  let line: LineProxy | null = null
  try {
    if (options.driven) line = await startLineProxy(sandbox.manifest, { isReachable: true })
    // Listens for signals before the address is printed: a reader of it may already send one.
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
}

function sandboxOptions(options: SandboxCommandOptions): SandboxOptions {
  const { port, forkUrl, forkBlock, blockTimeMs, driven } = options
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
    ...(port === undefined ? {} : { port }),
    ...(forkUrl === undefined || forkBlock === undefined
      ? {}
      : { fork: { url: forkUrl, blockNumber: forkBlock } }),
  }
}
