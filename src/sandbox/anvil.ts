import { createServer } from 'node:net'
import { createAnvil } from '@viem/anvil'
import { PlumblineError } from '../spec/errors.ts'
import { LIMITS } from '../spec/limits.ts'
import { anvilBinaryPath } from './binary.ts'
import { createRpc } from './rpc.ts'
import { watched } from './watchdog.ts'

/** The genesis time of every sandbox that nobody gives another: 2023-11-14 22:13:20 UTC. */
export const GENESIS_TIMESTAMP_S = 1_700_000_000
/**
 * The base fee that a chain starts with. EIP-1559 moves it by an eighth a block, and an eighth of 7 rounds to nothing:
 * it stays 7 for ever, constant and yet not zero.
 */
export const BASE_FEE_WEI = 7n
/**
 * How many states the node keeps at most, 90 kB each: what reorganisations and reads at older blocks need. It counts a
 * state again whenever its block is built upon again, and forgets it with the oldest count.
 */
export const KEPT_STATES = 1_024
/** The mnemonic of the ten accounts that Anvil funds with 10,000 ETH each: the well-known one of local nodes. */
export const DEV_MNEMONIC = 'test test test test test test test test test test test junk'

/** The rules of the virtual machine, and so the fields of a block. */
export const HARDFORK = 'cancun'

const HOST = '127.0.0.1'
const BLOCK_GAS_LIMIT = 1_000_000_000n
const START_TIMEOUT_MS = 30_000

export interface AnvilOptions {
  /** Default: a free one, chosen by the system. */
  readonly port?: number
  /** Time of the genesis block in epoch seconds. Default `GENESIS_TIMESTAMP_S`; a fork keeps its upstream's time. */
  readonly timestampS?: number
  /** Starts from the state of this node instead of from nothing. */
  readonly forkUrl?: string
  readonly forkBlockNumber?: number
}

/** A running Anvil process. */
export interface AnvilNode {
  readonly url: string
  readonly port: number
  /** Null where the system cannot tell (Windows). */
  readonly pid: number | null
  /** Fulfilled when the process has ended: null after `stop`, else the reason. Never rejects. */
  readonly ended: Promise<AnvilDiedError | null>
  /** Kills the process and waits until it is gone. Safe to call again. */
  stop(): Promise<void>
}

/** The port that was asked for belongs to another process. */
export class AnvilPortInUseError extends PlumblineError {
  override readonly name = 'AnvilPortInUseError'
  readonly port: number
  constructor(port: number) {
    super(`port ${port} is in use`, 'Choose another port, or none: then a free one is taken.')
    this.port = port
  }
}

/** Anvil did not come up. */
export class AnvilStartError extends PlumblineError {
  override readonly name = 'AnvilStartError'
  /** What Anvil printed last. */
  readonly output: string
  constructor(output: string, options?: { cause?: unknown }) {
    super(
      `Anvil did not start${output === '' ? '' : `: ${output}`}`,
      'Read its message; when forking, check that the upstream answers and knows the block.',
      options,
    )
    this.output = output
  }
}

/** Anvil ended though nobody stopped it. Whoever waits for an answer of it gets this error. */
export class AnvilDiedError extends PlumblineError {
  override readonly name = 'AnvilDiedError'
  readonly exitCode: number | null
  readonly signal: string | null
  readonly output: string
  constructor(exitCode: number | null, signal: string | null, output: string) {
    super(
      `Anvil died (${signal === null ? `exit code ${exitCode}` : `signal ${signal}`})${output === '' ? '' : `: ${output}`}`,
      'Start the sandbox again; a kill without a message is usually the machine running out of memory.',
    )
    this.exitCode = exitCode
    this.signal = signal
    this.output = output
  }
}

/**
 * Starts Anvil as chain 4663 with mining on demand only, first in first out. It dies with this process, whatever ends
 * it.
 *
 * Time is not set up here: until `anvil_setBlockTimestampInterval` or an explicit timestamp, blocks carry the wall
 * clock.
 *
 * @throws {AnvilBinaryMissingError} the platform package is not installed
 * @throws {AnvilPortInUseError} `port` is taken
 * @throws {AnvilStartError} anything else that kept it from listening
 */
export async function startAnvil(options: AnvilOptions = {}): Promise<AnvilNode> {
  const flags = bootFlags(options)
  const anvil = createAnvil({
    anvilBinary: anvilBinaryPath(),
    startTimeout: START_TIMEOUT_MS,
    // The library's `stop` leaves a timer of this length behind; we wait for the exit ourselves.
    stopTimeout: 1,
    // The library's typed options know no hardfork after Paris, so the flags are ours.
    execArgs: ([binary, , inherited]) => {
      const command = watched(binary, flags)
      // SIGKILL at once: there is no state worth a graceful end.
      return [
        command.file,
        command.args,
        { ...inherited, ...command.options, killSignal: 'SIGKILL', buffer: false },
      ]
    },
  })
  let output = ''
  anvil.on('message', (message) => {
    output += message
  })
  let stopping = false
  const ended = new Promise<AnvilDiedError | null>((resolve) => {
    anvil.on('exit', (code, signal) => {
      resolve(stopping ? null : new AnvilDiedError(code ?? null, signal ?? null, tail(output)))
    })
  })
  try {
    await anvil.start()
  } catch (cause) {
    if (options.port !== undefined && (await isTaken(options.port))) {
      throw new AnvilPortInUseError(options.port)
    }
    throw new AnvilStartError(tail(output), { cause })
  }
  const port = Number(/Listening on \S+:(\d+)/.exec(output)?.[1])
  const pid = /^pid (\d+)$/m.exec(output)?.[1]
  const url = `http://${HOST}:${port}`
  // `--silent` would swallow the line that says it listens; so it is silenced only now.
  const rpc = createRpc({ url, ended })
  await rpc.request('anvil_setLoggingEnabled', [false])
  output = ''
  rpc.close()
  return {
    url,
    port,
    pid: pid === undefined ? null : Number(pid),
    ended,
    async stop() {
      stopping = true
      // It rejects by design, see `stopTimeout`; the exit is what counts.
      await anvil.stop().catch(() => undefined)
      await ended
    },
  }
}

/** The end of what was printed, without our own first line: the banner above it helps nobody. */
function tail(output: string): string {
  return output
    .replace(/^pid \d+\n/, '')
    .trim()
    .split('\n')
    .slice(-10)
    .join('\n')
}

/** The flags that a node is started with. */
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
    '--fork-url': options.forkUrl,
    '--fork-block-number': options.forkBlockNumber,
  }
  const valued = Object.entries(flags).flatMap(([flag, value]) =>
    value === undefined ? [] : [flag, String(value)],
  )
  // Without `--no-storage-caching` forks of two local chains share one cache file, keyed by chain id and block alone.
  return [...valued, '--no-mining', ...(isFork ? ['--no-storage-caching'] : [])]
}

/** Whether somebody listens on the port: asked after a failed start only, so that free ports cost no extra socket. */
function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(true))
    probe.listen(port, HOST, () => probe.close(() => resolve(false)))
  })
}
