import { createRpc, RpcConnectionError } from '../sandbox/rpc.ts'
import type { Transport } from '../spec/exchange.ts'
import type { ClientTime, Program, ProgramInput, ProgramInstance } from './program.ts'
import type { ClientPorts, ClientState } from './reference/ports.ts'
import { CLIENT_RULES, type ClientRules } from './reference/rules.ts'
import { swapGoal } from './reference/swap.ts'

/** Replaces parts of the reference client. */
export interface ClientSeams {
  readonly rules?: (rules: ClientRules) => Partial<ClientRules>
  readonly ports?: (ports: ClientPorts) => Partial<ClientPorts>
}

const EXIT_CRASHED = 70

/** Returns the reference client in this process, changed at its seams. */
export function inProcessProgram(seams: ClientSeams = {}): Program {
  return {
    open: async (input) => new InProcessClient(input, seams),
  }
}

/** A client in this process. When it is killed, its pending promises never settle. */
class InProcessClient implements ProgramInstance {
  readonly #input: ProgramInput
  readonly #seams: ClientSeams
  #kept: string | null = null
  #end: ((killed: null) => void) | null = null
  #life = 0

  constructor(input: ProgramInput, seams: ClientSeams) {
    this.#input = input
    this.#seams = seams
  }

  async start() {
    this.#life += 1
    const printed: string[] = []
    const ports = this.#ports(this.#life, (line) => printed.push(line))
    const rules = { ...CLIENT_RULES, ...this.#seams.rules?.(CLIENT_RULES) }
    const killed = new Promise<null>((resolve) => {
      this.#end = resolve
    })
    const ran = swapGoal({ ...ports, ...this.#seams.ports?.(ports) }, rules).catch((error: unknown) => {
      printed.push(String(error))
      return EXIT_CRASHED
    })
    const exitCode = await Promise.race([ran, killed])
    return { exitCode, printed: printed.map((line) => `${line}\n`).join('') }
  }

  async kill() {
    this.#life += 1
    this.#end?.(null)
  }

  close() {
    return this.kill()
  }

  #ports(life: number, print: (line: string) => void): ClientPorts {
    const { service, node, time, ...rest } = this.#input
    const alive = <Result>(awaited: Promise<Result>): Promise<Result> => {
      const never = new Promise<Result>(() => {})
      return awaited.then(
        (result) => (this.#life === life ? result : never),
        (error: unknown) => (this.#life === life ? Promise.reject(error) : never),
      )
    }
    const living: ClientTime = { nowMs: time.nowMs, sleep: (delayMs) => alive(time.sleep(delayMs)) }
    const url = 'http://node'
    return {
      ...rest,
      time: living,
      http: (request) => alive(service(request)),
      rpc: createRpc({ url, carrier: { send: (body) => alive(sendTo(node, body)), close: () => {} } }),
      state: {
        load: async () => (this.#kept === null ? null : (JSON.parse(this.#kept) as ClientState)),
        save: async (state) => {
          this.#kept = JSON.stringify(state)
        },
      },
      print,
    }
  }
}

async function sendTo(node: Transport, body: string): Promise<string> {
  try {
    const headers = { 'content-type': 'application/json' }
    return (await node({ method: 'POST', path: '/', headers, body })).body
  } catch (cause) {
    throw new RpcConnectionError('http://node', 'the connection was cut', { cause })
  }
}
