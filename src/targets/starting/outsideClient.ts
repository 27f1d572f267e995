import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  EXIT_REFUSED,
  type Program,
  type ProgramEnd,
  type ProgramInput,
  type ProgramInstance,
} from '../../client/program.ts'
import { appendText } from '../../host/appendFile.ts'
import { variablesNamed } from '../../host/inheritedVariables.ts'
import { marked } from '../../host/marked.ts'
import { makeTemporaryFolder } from '../../host/temporary.ts'
import { writeWhole } from '../../host/writeWhole.ts'
import type { Goal } from '../../spec/goal.ts'
import { redactorOf } from '../../spec/secrets/redact.ts'
import { type ServedTransport, serveTransport } from '../transports/serveTransport.ts'
import { leftRunning } from './leftRunning.ts'
import { spawnGroup } from './spawnGroup.ts'

/** Maximum length of a client's output that is kept. */
const PRINTED_CHARACTERS_MAX = 64 * 1024
/** The variable that names a folder of the case: a process with it in its environment was started by the client. */
const STATE = 'SWAP_STATE'

/** Input of a client for one case. */
export interface ClientInput {
  /** Base URL of the service, without a trailing slash. */
  readonly baseUrl: string
  readonly apiKey: string
  /** JSON-RPC of the chain, over HTTP. */
  readonly rpcUrl: string
  /** The account that swaps. */
  readonly privateKey: `0x${string}`
  readonly goal: Goal
  /** A folder that survives if the client is killed and started again. */
  readonly stateFolder: string
  /** Aborted when the client is killed; it should then do nothing more. */
  readonly signal: AbortSignal
}

/** A client in this process. Resolves to its exit code: 0 done and recorded, 3 decided not to swap, anything else failed. */
export type ClientFunction = (input: ClientInput) => Promise<number>

/** One start of a client. */
interface Started {
  /** Null: it was killed. */
  readonly exitCode: Promise<number | null>
  printed(): string
  /** Its outputs, as the system names them. */
  readonly outputs: readonly string[]
  kill(): void
}

/** Starts a client. @param goalPath path of the goal, as JSON. */
type Start = (input: ClientInput, goalPath: string) => Started

/**
 * Returns a client that is started for each case, and reaches service and node through sockets.
 *
 * @param client a shell command, which gets its case by variables alone; or a function.
 * @param env names of further variables that a command gets.
 * @param logFolder folder for the output of a command, a file for each case; null: it is not kept.
 */
export function outsideProgram(
  client: string | ClientFunction,
  { env = [], logFolder }: { readonly env?: readonly string[]; readonly logFolder: string | null },
): Program {
  const start = typeof client === 'string' ? commandStart(client, env) : functionStart(client)
  return {
    open: async (input) => {
      const [service, node] = await Promise.all([serveTransport(input.service), serveTransport(input.node)])
      try {
        return new OutsideClient(input, start, logFolder, service, node)
      } catch (error) {
        await Promise.all([service.stop(), node.stop()])
        throw error
      }
    },
  }
}

class OutsideClient implements ProgramInstance {
  readonly #input: ProgramInput
  readonly #start: Start
  readonly #service: ServedTransport
  readonly #node: ServedTransport
  readonly #folder = makeTemporaryFolder('plumbline-client-')
  readonly #state = join(this.#folder.path, 'state')
  readonly #marked = marked(STATE, this.#state)
  readonly #logPath: string | null
  #started: Started | null = null

  constructor(
    input: ProgramInput,
    start: Start,
    logFolder: string | null,
    service: ServedTransport,
    node: ServedTransport,
  ) {
    this.#input = input
    this.#start = start
    this.#service = service
    this.#node = node
    mkdirSync(this.#state)
    writeWhole(join(this.#folder.path, 'goal.json'), `${JSON.stringify(input.goal, null, 2)}\n`)
    this.#logPath = logFolder === null ? null : join(logFolder, `${input.name}.log`)
    if (logFolder === null || this.#logPath === null) return
    mkdirSync(logFolder, { recursive: true })
    rmSync(this.#logPath, { force: true })
  }

  async start(): Promise<ProgramEnd> {
    const { apiKey, privateKey, goal } = this.#input
    const abort = new AbortController()
    const started = this.#start(
      {
        ...{ apiKey, privateKey, goal, signal: abort.signal },
        ...{ baseUrl: this.#service.url, rpcUrl: this.#node.url },
        stateFolder: this.#state,
      },
      join(this.#folder.path, 'goal.json'),
    )
    this.#marked.hasOutputs(started.outputs)
    this.#started = {
      ...started,
      kill: () => {
        abort.abort()
        started.kill()
      },
    }
    const exitCode = await started.exitCode
    const printed = started.printed()
    const ended = exitCode === null ? 'it was killed' : `it ended with ${exitCode}`
    this.#log(`${printed}\n-- ${ended}`)
    return { exitCode, printed }
  }

  async kill(): Promise<void> {
    this.#started?.kill()
  }

  async close(): Promise<void> {
    await this.kill()
    for (const each of leftRunning('client', this.#marked.end())) this.#log(`-- ${each}`)
    await Promise.all([this.#service.stop(), this.#node.stop()])
    this.#folder.remove()
  }

  #log(text: string): void {
    if (this.#logPath === null) return
    const { apiKey, privateKey } = this.#input
    const redact = redactorOf([apiKey, privateKey, privateKey.slice(2)])
    try {
      appendText(this.#logPath, `${redact(text)}\n`)
    } catch {
      // A full disk, or what a client put in its place, costs the log; a full disk is reported when the results are written.
    }
  }
}

function commandStart(command: string, env: readonly string[]): Start {
  return ({ baseUrl, apiKey, rpcUrl, privateKey, stateFolder }, goalPath) => {
    const { child, outputs, lastWords, end } = spawnGroup(command, {
      ...variablesNamed(env),
      SWAP_BASE_URL: baseUrl,
      SWAP_API_KEY: apiKey,
      SWAP_RPC_URL: rpcUrl,
      SWAP_PRIVATE_KEY: privateKey,
      SWAP_GOAL: goalPath,
      [STATE]: stateFolder,
    })
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        printed = `${printed}${chunk.toString('utf8')}`.slice(-PRINTED_CHARACTERS_MAX)
      })
    const failed = once(child, 'error').then(() => NOT_STARTED)
    failed.catch(() => {})
    const exited = once(child, 'exit').then(([code]) => code as number | null)
    const exitCode = Promise.race([exited, failed]).then(async (code) => {
      await lastWords()
      end()
      return code
    })
    return { exitCode, outputs, printed: () => printed, kill: end }
  }
}

/** Exit code of a shell that does not find a command. */
const NOT_STARTED = 127
/** Exit code of a function that throws. */
const THREW = 1

function functionStart(client: ClientFunction): Start {
  return (input) => {
    let printed = ''
    let kill: () => void = () => {}
    const killed = new Promise<null>((resolve) => {
      kill = () => resolve(null)
    })
    const ran = client(input).then(
      (exitCode) => {
        // A function prints no last line.
        const reason = `the function returned ${EXIT_REFUSED}`
        if (exitCode === EXIT_REFUSED) printed = JSON.stringify({ outcome: 'refused', reason })
        return exitCode
      },
      (error: unknown) => {
        printed = error instanceof Error ? (error.stack ?? error.message) : String(error)
        return THREW
      },
    )
    return {
      exitCode: Promise.race([ran, killed]),
      outputs: [],
      printed: () => printed,
      kill: () => kill(),
    }
  }
}
