import { once } from 'node:events'
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Program, ProgramEnd, ProgramInput, ProgramInstance } from '../../client/program.ts'
import { variablesNamed } from '../../host/inheritedVariables.ts'
import { makeTemporaryFolder } from '../../host/temporary.ts'
import { redactorOf } from '../../spec/secrets/redact.ts'
import { type ServedTransport, serveTransport } from '../transports/serveTransport.ts'
import { type SpawnedGroup, spawnGroup } from './spawnGroup.ts'

/** What is kept of what a client prints. */
const PRINTED_CHARACTERS_MAX = 64 * 1024

export interface SpawnedClientOptions {
  readonly command: string
  /** The names of further variables that it gets. */
  readonly env: readonly string[]
  /** Where what it prints goes, a file for each case. */
  readonly logFolder: string
}

/** Returns a client that a command starts: it gets its case by variables, and nothing else. */
export function spawnedProgram(options: SpawnedClientOptions): Program {
  return {
    open: async (input) => {
      const [service, node] = await Promise.all([serveTransport(input.service), serveTransport(input.node)])
      return new SpawnedClient(input, options, service, node)
    },
  }
}

class SpawnedClient implements ProgramInstance {
  readonly #input: ProgramInput
  readonly #options: SpawnedClientOptions
  readonly #service: ServedTransport
  readonly #node: ServedTransport
  readonly #folder = makeTemporaryFolder('plumbline-client-')
  readonly #logPath: string
  #group: SpawnedGroup | null = null

  constructor(
    input: ProgramInput,
    options: SpawnedClientOptions,
    service: ServedTransport,
    node: ServedTransport,
  ) {
    this.#input = input
    this.#options = options
    this.#service = service
    this.#node = node
    mkdirSync(join(this.#folder.path, 'state'))
    writeFileSync(this.#goalPath, `${JSON.stringify(input.goal, null, 2)}\n`)
    mkdirSync(options.logFolder, { recursive: true })
    this.#logPath = join(options.logFolder, `${input.name}.log`)
    rmSync(this.#logPath, { force: true })
  }

  get #goalPath(): string {
    return join(this.#folder.path, 'goal.json')
  }

  async start(): Promise<ProgramEnd> {
    const { command, env } = this.#options
    const { apiKey, privateKey } = this.#input
    const group = spawnGroup(command, {
      ...variablesNamed(env),
      SWAP_BASE_URL: this.#service.url,
      SWAP_API_KEY: apiKey,
      SWAP_RPC_URL: this.#node.url,
      SWAP_PRIVATE_KEY: privateKey,
      SWAP_GOAL: this.#goalPath,
      SWAP_STATE: join(this.#folder.path, 'state'),
    })
    this.#group = group
    let printed = ''
    for (const stream of [group.child.stdout, group.child.stderr])
      stream.on('data', (chunk: Buffer) => {
        printed = `${printed}${chunk.toString('utf8')}`.slice(-PRINTED_CHARACTERS_MAX)
      })
    const exitCode = await exitOf(group)
    await group.lastWords()
    group.end()
    this.#log(printed, exitCode)
    return { exitCode, printed }
  }

  async kill(): Promise<void> {
    this.#group?.end()
  }

  async close(): Promise<void> {
    await this.kill()
    await Promise.all([this.#service.stop(), this.#node.stop()])
    this.#folder.remove()
  }

  #log(printed: string, exitCode: number | null): void {
    const { apiKey, privateKey } = this.#input
    const redact = redactorOf([apiKey, privateKey, privateKey.slice(2)])
    const ended = exitCode === null ? 'it was killed' : `it ended with ${exitCode}`
    try {
      appendFileSync(this.#logPath, `${redact(printed)}\n-- ${ended}\n`)
    } catch {
      // A full disk costs the log; that it is full is said when the results are written.
    }
  }
}

/** Resolves to the exit code; null: it was killed. */
async function exitOf({ child }: SpawnedGroup): Promise<number | null> {
  const failed = once(child, 'error').then(() => NOT_STARTED)
  failed.catch(() => {})
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  return Promise.race([ended, failed])
}

/** As a shell says that a command was not found. */
const NOT_STARTED = 127
