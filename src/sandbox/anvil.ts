import { createServer } from 'node:net'
import { createAnvil } from '@viem/anvil'
import { BASE_FEE_WEI, BLOCK_GAS_LIMIT, GENESIS_TIMESTAMP_S } from '../fixtures/chain.ts'
import { inheritedVariables } from '../host/inheritedVariables.ts'
import { temporary } from '../host/temporary.ts'
import { unwatch, watched } from '../host/watchdog.ts'
import { PlumblineError } from '../spec/errors.ts'
import { LIMITS } from '../spec/limits.ts'
import { changeTexts, redactorOf } from '../spec/secrets/redact.ts'
import { secretsOfNode } from '../spec/secrets/url.ts'
import { anvilBinaryPath } from './binary.ts'
import { makeIpcFolder, reachOverIpc } from './ipc.ts'
import { createRpc } from './rpc.ts'

export { BASE_FEE_WEI, BLOCK_GAS_LIMIT, GENESIS_TIMESTAMP_S }
/**
 * The maximum number of states that the node keeps, at 90 kB each, for reorganisations and reads at older blocks. The node
 * counts a state again each time a block is built on it, and drops it with its oldest count.
 */
export const KEPT_STATES = 1_024
/** The well-known mnemonic for local nodes: Anvil funds its first ten accounts with 10,000 ETH each. */
export const DEV_MNEMONIC = 'test test test test test test test test test test test junk'

/** The EVM version, which also determines the fields of a block. */
export const HARDFORK = 'cancun'

const HOST = '127.0.0.1'
/** Anvil's name for the node that it forks. */
const UPSTREAM = 'upstream'
const START_TIMEOUT_MS = 30_000

export interface AnvilOptions {
  /** Default: a free port chosen by the system. */
  readonly port?: number
  /** Time of the genesis block in epoch seconds. Default `GENESIS_TIMESTAMP_S`; a fork keeps the time of its upstream. */
  readonly timestampS?: number
  /**
   * Forks the state of this node instead of starting an empty chain. The URL may contain a key: Anvil gets it in its
   * environment, which other users cannot read, and errors show only the host.
   */
  readonly forkUrl?: string
  readonly forkBlockNumber?: number
  /**
   * The number of threads that serve requests. Default: one per processor. For a node with one caller, one thread is best:
   * waking several for a request takes up to a tenth more processor time.
   */
  readonly threads?: number
}

/** A running Anvil process. */
export interface AnvilNode {
  readonly url: string
  readonly port: number
  /** Null where it is not available (Windows). */
  readonly pid: number | null
  /** Resolves when the process has ended: null after `stop`, otherwise the reason. Never rejects. */
  readonly ended: Promise<AnvilDiedError | null>
  /** Kills the process and waits for its end. Safe to call again. */
  stop(): Promise<void>
}

/** The requested port is in use by another process. */
export class AnvilPortInUseError extends PlumblineError {
  override readonly name = 'AnvilPortInUseError'
  readonly port: number
  constructor(port: number) {
    super(`port ${port} is in use`, 'Choose another port, or leave it out to use a free one.')
    this.port = port
  }
}

/** Anvil did not start. */
export class AnvilStartError extends PlumblineError {
  override readonly name = 'AnvilStartError'
  readonly output: string
  constructor(output: string, options?: { cause?: unknown }) {
    super(
      `Anvil did not start${output === '' ? '' : `: ${output}`}`,
      'Read its message. When forking, check that the upstream responds and has the block.',
      options,
    )
    this.output = output
  }
}

/** Anvil ended without being stopped. Pending calls to it fail with this error. */
export class AnvilDiedError extends PlumblineError {
  override readonly name = 'AnvilDiedError'
  readonly exitCode: number | null
  readonly signal: string | null
  readonly output: string
  constructor(exitCode: number | null, signal: string | null, output: string) {
    super(
      `Anvil died (${signal === null ? `exit code ${exitCode}` : `signal ${signal}`})${output === '' ? '' : `: ${output}`}`,
      'Start the sandbox again. A kill without a message usually means that the machine ran out of memory.',
    )
    this.exitCode = exitCode
    this.signal = signal
    this.output = output
  }
}

/**
 * Starts Anvil as chain 4663, mining on demand only, first in first out. It ends with this process, however this process ends.
 *
 * Time is not configured here: until `anvil_setBlockTimestampInterval` or an explicit timestamp, blocks have wall-clock time.
 *
 * @throws {AnvilBinaryMissingError} the platform package is not installed
 * @throws {AnvilPortInUseError} `port` is in use
 * @throws {AnvilStartError} it did not start listening for any other reason
 */
export async function startAnvil(options: AnvilOptions = {}): Promise<AnvilNode> {
  const ipc = makeIpcFolder()
  const removeSocket = ipc === null ? () => {} : temporary(ipc.folder)
  const flags = [...bootFlags(options), ...(ipc === null ? [] : ['--ipc', ipc.path])]
  const { forkUrl } = options
  const redact = redactorOf(forkUrl === undefined ? [] : secretsOfNode(forkUrl))
  const tail = (text: string) => redact(endOf(text))
  const anvil = createAnvil({
    anvilBinary: anvilBinaryPath(),
    startTimeout: START_TIMEOUT_MS,
    // The library's `stop` leaves a timer of this length running; we wait for the exit ourselves.
    stopTimeout: 1,
    // The library's typed options support no hardfork after Paris, so we build the flags ourselves.
    execArgs: ([binary, , inherited]) => {
      const command = watched('process', ...printingItsId(binary, flags))
      // SIGKILL: there is no state worth a graceful shutdown.
      return [
        command.file,
        command.args,
        {
          ...inherited,
          ...command.options,
          extendEnv: false,
          env: {
            ...inheritedVariables(),
            ...forkVariables(forkUrl),
            ...threadVariables(options.threads),
          },
          killSignal: 'SIGKILL',
          buffer: false,
        },
      ]
    },
  })
  let output = ''
  let pid: number | null = null
  anvil.on('message', (message) => {
    output += message
    pid ??= idIn(output)
  })
  let stopping = false
  let leaveIpc = () => {}
  const ended = new Promise<AnvilDiedError | null>((resolve) => {
    anvil.on('exit', (code, signal) => {
      if (pid !== null) unwatch('process', pid)
      leaveIpc()
      removeSocket()
      resolve(stopping ? null : new AnvilDiedError(code ?? null, signal ?? null, tail(output)))
    })
  })
  try {
    await anvil.start()
  } catch (cause) {
    if (options.port !== undefined && (await isTaken(options.port))) {
      throw new AnvilPortInUseError(options.port)
    }
    throw new AnvilStartError(tail(output), { cause: changeTexts(cause, redact) })
  }
  const port = Number(/Listening on \S+:(\d+)/.exec(output)?.[1])
  const url = `http://${HOST}:${port}`
  if (ipc !== null) leaveIpc = reachOverIpc(url, ipc.path)
  // `--silent` would suppress the line that reports listening, so logging is turned off only now.
  const rpc = createRpc({ url, ended })
  await rpc.request('anvil_setLoggingEnabled', [false])
  output = ''
  rpc.close()
  return {
    url,
    port,
    pid,
    ended,
    async stop() {
      stopping = true
      // It rejects because of `stopTimeout`; only the exit matters.
      await anvil.stop().catch(() => undefined)
      await ended
    },
  }
}

/** Wraps a program in a shell that prints its own process id before the program replaces it, as the library hides the process. */
function printingItsId(file: string, args: readonly string[]): [string, readonly string[]] {
  if (process.platform === 'win32') return [file, args]
  return ['/bin/sh', ['-c', 'echo "pid $$"; exec "$@"', 'sh', file, ...args]]
}

function idIn(output: string): number | null {
  const id = /^pid (\d+)\n/.exec(output)?.[1]
  return id === undefined ? null : Number(id)
}

/** Returns the end of the output, without the banner and our own first line. */
function endOf(output: string): string {
  return output
    .replace(/^pid \d+\n/, '')
    .trim()
    .split('\n')
    .slice(-10)
    .join('\n')
}

/**
 * Returns the environment in which `--fork-url upstream` finds its URL. Command-line arguments are visible to every user of the
 * machine.
 */
function forkVariables(forkUrl: string | undefined): Readonly<Record<string, string>> {
  if (forkUrl === undefined) return {}
  // A value of TOML, in which `${NAME}` would be a variable.
  const written = URL.canParse(forkUrl) ? new URL(forkUrl).href : forkUrl
  const url = written.replaceAll(/["\\${}]/g, (character) => encodeURIComponent(character))
  return { FOUNDRY_RPC_ENDPOINTS: `{${UPSTREAM}="${url}"}` }
}

/** Returns the environment that sets the number of Anvil's threads, for which there is no flag. */
function threadVariables(threads: number | undefined): Readonly<Record<string, string>> {
  return threads === undefined ? {} : { TOKIO_WORKER_THREADS: String(threads) }
}

export function bootFlags(options: AnvilOptions): readonly string[] {
  const isFork = options.forkUrl !== undefined
  const timestampS = options.timestampS ?? (isFork ? undefined : GENESIS_TIMESTAMP_S)
  const flags: Record<string, string | number | bigint | undefined> = {
    '--host': HOST,
    '--port': options.port ?? 0,
    '--chain-id': LIMITS.chainId,
    '--timestamp': timestampS,
    '--hardfork': HARDFORK,
    '--order': 'fifo',
    '--block-base-fee-per-gas': BASE_FEE_WEI,
    '--gas-limit': BLOCK_GAS_LIMIT,
    '--prune-history': KEPT_STATES,
    '--mnemonic': DEV_MNEMONIC,
    '--fork-url': isFork ? UPSTREAM : undefined,
    '--fork-block-number': options.forkBlockNumber,
  }
  const valued = Object.entries(flags).flatMap(([flag, value]) =>
    value === undefined ? [] : [flag, String(value)],
  )
  // Without `--no-storage-caching`, forks of two local chains share one cache file, keyed only by chain id and block.
  return [...valued, '--no-mining', ...(isFork ? ['--no-storage-caching'] : [])]
}

/** Returns whether the port is in use. Checked only after a failed start, which saves a socket otherwise. */
function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(true))
    probe.listen(port, HOST, () => probe.close(() => resolve(false)))
  })
}
