import type { Hex } from 'viem'
import { zeroAddress } from 'viem'
import { ACCOUNTS, type AccountName } from '../fixtures/accounts.ts'
import {
  type ClientBalance,
  type ClientEnding,
  type ObservedClient,
  type RoledTransaction,
  rolesOf,
} from '../oracles/index.ts'
import { readBalances } from '../sandbox/balances.ts'
import { PlumblineError } from '../spec/errors.ts'
import type { Goal } from '../spec/goal.ts'
import { parseJson } from '../spec/json.ts'
import { LIMITS } from '../spec/limits.ts'
import { redactorOf } from '../spec/secrets/redact.ts'
import { ClientChain, type RoledSent } from './clientChain.ts'
import type { ClientEvent, ClientRecord } from './clientLog.ts'
import type { ClientWorld } from './clientWorld.ts'
import { type ClientKeys, CutError, keysIn } from './line.ts'
import { type NodeFault, NodeLine, type SentTransaction } from './nodeLine.ts'
import { EXIT_DONE, EXIT_REFUSED, type ProgramInstance } from './program.ts'
import { type ServiceFault, ServiceLine } from './serviceLine.ts'

/** The input of one case for its client. */
export interface ClientPlan {
  /** Name of the case, valid as a file name. */
  readonly name: string
  readonly goal: Goal
  readonly apiKey: string
  readonly account: AccountName
  /** Chain id that the node reports. Default: its real one. */
  readonly nodeChainId?: number
  /** Returns the faults of the case; they may drive the chain, and kill and restart the client. */
  readonly faults?: (
    chain: ClientChain,
    restart: () => Promise<void>,
  ) => {
    readonly service?: readonly ServiceFault[]
    readonly node?: readonly NodeFault[]
  }
}

/** The end of the last start of a client, and the output of all starts. */
type Ended = Pick<ObservedClient, 'ending' | 'exitCode' | 'reason'> & { readonly printed: string }

/** Maximum length of a recorded reason. */
const REASON_CHARACTERS_MAX = 200
/** Maximum size of the last output that is shown. */
const PRINTED_LAST = { lines: 5, characters: 600 }
/** Lines that Node prints below an error, without information about it. */
const BELOW_ERROR = /^(\s+at .*|Node\.js v.*|\s*)$/
/** Time that a client may exceed its goal's timeout, in seconds. */
const GRACE_S = 5
/** Blocks mined after the end of a client, so that its pending transactions are included. */
const LAST_BLOCKS = 2
/** More than any client needs. */
const REQUESTS_MAX = 2_000

/** Exit codes of a shell that cannot run a command, or does not find it. */
const NOT_RUN: ReadonlySet<number> = new Set([126, 127])

/** The command of the client could not be run. */
class ClientNotStartedError extends PlumblineError {
  override readonly name = 'ClientNotStartedError'
  constructor(exitCode: number, printed: string) {
    super(
      `the command of the client cannot be run (exit code ${exitCode}): ${printed.trim().split('\n').at(-1)}`,
      'Give the command that starts it with --start, as a shell in this folder runs it.',
    )
  }
}

/** One client in one case, from its start to its final balances. */
export class ClientRun {
  readonly #world: ClientWorld
  readonly #plan: ClientPlan
  readonly #keys: ClientKeys
  readonly #service: ServiceLine
  readonly #node: NodeLine
  readonly #chain: ClientChain
  #instance: ProgramInstance | null = null
  #starts = 0
  /** Restarts due once the killed client has ended. */
  #restarts = 0
  #isOver = false
  /** True if the run ended it because its time or its requests were used up. */
  #isStopped = false
  readonly #events: ClientEvent[] = []
  /** The first error of the case itself. */
  #problem: unknown = null

  constructor(world: ClientWorld, plan: ClientPlan) {
    this.#world = world
    this.#plan = plan
    const { time } = world
    const onEvent = (event: ClientEvent) => void this.#events.push(event)
    this.#chain = new ClientChain(world, {
      ...{ account: plan.account, onEvent },
      sent: () => this.#rolesOf([...this.#node.sent.values()]),
      add: (raw) => this.#node.add(raw),
    })
    const { service = [], node = [] } = plan.faults?.(this.#chain, () => this.#restart()) ?? {}
    this.#keys = { apiKey: plan.apiKey, privateKey: ACCOUNTS[plan.account].privateKey }
    const line = {
      ...{ ...this.#keys, time, onEvent },
      guard: (action: Promise<unknown>) => this.#guard(action),
    }
    this.#service = new ServiceLine({
      ...{ ...line, faults: service },
      service: (request) => world.inTurn(() => world.service(request)),
      life: () => this.#starts + this.#restarts,
    })
    this.#node = new NodeLine({
      ...{ ...line, faults: node },
      chainId: plan.nodeChainId ?? null,
      node: (request) => world.inTurn(() => world.node(request)),
      roleOf: (sent) => this.#rolesOf([sent])[0]?.role.name ?? 'other',
    })
  }

  /** Runs the client to its end, and returns the record of the run. */
  async run(): Promise<ClientRecord> {
    const world = this.#world
    const { name, goal, apiKey, account } = this.#plan
    const before = await this.#balances()
    const base = await this.#chain.begin()
    const instance = await world.program.open({
      service: (request) => world.track(() => this.#limited(() => this.#service.carry(request))),
      node: (request) => world.track(() => this.#node.carry(request)),
      ...{ name, goal, apiKey, time: world.time },
      privateKey: ACCOUNTS[account].privateKey,
    })
    this.#instance = instance
    try {
      const mining = this.#chain.mineUntil(() => this.#isOver)
      const ended = await world.settle(this.#live(instance))
      this.#isOver = true
      await world.settle(mining)
      if (this.#problem !== null) throw this.#problem
      for (let block = 0; block < LAST_BLOCKS; block += 1) await this.#chain.mineOne()
      const observed = await this.#observed(ended, before)
      const { exchanges } = this.#service
      const signed = new Map([...this.#node.sent.values()].map(({ hash, raw }) => [hash, raw]))
      return { observed, signed, printedLast: this.#lastOf(ended), base, events: this.#events, exchanges }
    } finally {
      for (const exchange of this.#service.exchanges) world.onExchange(exchange)
      this.#isOver = true
      await instance.close()
    }
  }

  /** Kills the client, and restarts it with its saved state. */
  async #restart(): Promise<void> {
    this.#restarts += 1
    this.#note('the case kills the client')
    await this.#instance?.kill()
  }

  #note(text: string): void {
    this.#events.push({ kind: 'life', text, atMs: this.#world.time.nowMs() })
  }

  /** Ends a client that floods the service: further requests show nothing new, and fill the memory. */
  #limited<Result>(carry: () => Promise<Result>): Promise<Result> {
    if (this.#service.requests.length < REQUESTS_MAX) return carry()
    this.#isStopped = true
    void this.#instance?.kill()
    return Promise.reject(new CutError())
  }

  async #live(instance: ProgramInstance): Promise<Ended> {
    const { time } = this.#world
    const forget = time.after((this.#plan.goal.timeoutS + GRACE_S) * 1_000, () => {
      this.#isStopped = true
      void instance.kill()
    })
    try {
      return await this.#startUntilOver(instance)
    } finally {
      forget()
    }
  }

  async #startUntilOver(instance: ProgramInstance): Promise<Ended> {
    let printed = ''
    for (;;) {
      this.#starts += 1
      this.#note(`start ${this.#starts} of the client`)
      const ended = await instance.start()
      const { exitCode } = ended
      const reason = exitCode === EXIT_REFUSED ? this.#reasonIn(ended.printed) : null
      this.#note(endOf(exitCode, reason))
      printed += ended.printed
      if (this.#isStopped) return { ending: 'not ended', exitCode, reason, printed }
      this.#checkStarted(exitCode, printed)
      if (this.#restarts === 0) return { ending: endingOf(exitCode), exitCode, reason, printed }
      this.#restarts = 0
    }
  }

  /** @throws {ClientNotStartedError} the shell could not run the command, so the result says nothing about the client. */
  #checkStarted(exitCode: number | null, printed: string): void {
    const isUnknown = exitCode !== null && NOT_RUN.has(exitCode)
    if (isUnknown && this.#service.requests.length === 0) throw new ClientNotStartedError(exitCode, printed)
  }

  /** Returns the client's reason not to swap, from the last line of JSON that it printed; null: it gives none. */
  #reasonIn(printed: string): string | null {
    const line = printed
      .trimEnd()
      .split('\n')
      .findLast((each) => each.trimStart().startsWith('{'))
    const said = parseJson(line ?? '') as
      | { readonly outcome?: unknown; readonly reason?: unknown }
      | undefined
    if (said?.outcome !== 'refused' || typeof said.reason !== 'string' || said.reason === '') return null
    return this.#redacted(said.reason).slice(0, REASON_CHARACTERS_MAX)
  }

  /** Returns the last lines printed by a client that failed; empty: it did not fail, or printed nothing. */
  #lastOf({ ending, printed }: Ended): string {
    if (ending !== 'failed') return ''
    const lines = printed.split('\n').filter((line) => !BELOW_ERROR.test(line))
    return this.#redacted(lines.slice(-PRINTED_LAST.lines).join('\n')).slice(-PRINTED_LAST.characters)
  }

  #redacted(text: string): string {
    const { apiKey, privateKey } = this.#keys
    return redactorOf([apiKey, privateKey, privateKey.slice(2)])(text)
  }

  async #observed({ printed, ...ended }: Ended, before: readonly bigint[]): Promise<ObservedClient> {
    const { chain } = this.#world
    const transactions = await Promise.all(
      [...this.#node.sent.values()].map(async ({ raw: _, ...sent }) => {
        const receipt = await chain.sandbox.chain.receipt(sent.hash as Hex)
        const mined = receipt && { succeeded: receipt.success, blockNumber: receipt.blockNumber }
        return { ...sent, mined }
      }),
    )
    return {
      ...this.#source(),
      ...{ goal: this.#plan.goal, transactions, ...ended, starts: this.#starts },
      nodeChainId: this.#plan.nodeChainId ?? LIMITS.chainId,
      leaks: [...this.#service.leaks, ...this.#node.leaks, ...keysIn(printed, 'what it printed', this.#keys)],
      balances: await this.#changes(before),
    }
  }

  /** Keeps an error of the case itself: the client is not at fault, and must not take it for a cut connection. */
  async #guard(action: Promise<unknown>): Promise<void> {
    await action.catch((error: unknown) => {
      this.#problem ??= error
    })
  }

  #source() {
    return {
      account: ACCOUNTS[this.#plan.account].address.toLowerCase(),
      permit2: this.#world.chain.manifest.permit2.toLowerCase(),
      requests: this.#service.requests,
    }
  }

  #rolesOf(sent: readonly SentTransaction[]): readonly RoledSent[] {
    const transactions = sent.map((each) => ({ ...each, mined: null }))
    return rolesOf({ ...this.#source(), transactions }) as readonly (RoledTransaction & {
      readonly raw: Hex
    })[]
  }

  /** Returns the tokens of the goal, and the native coin that pays for gas. */
  #tokens() {
    const { from, to } = this.#plan.goal
    const native = { symbol: 'ETH', address: 'native', decimals: 18 }
    const all = [from, to, native].map(({ symbol, address, decimals }) => ({
      ...{ symbol, decimals },
      address: (address === 'native' ? zeroAddress : address) as Hex,
    }))
    return all.filter(({ address }, index) => all.findIndex((one) => one.address === address) === index)
  }

  #balances(): Promise<readonly bigint[]> {
    const holder = ACCOUNTS[this.#plan.account].address
    return readBalances(
      this.#world.chain.sandbox.rpc,
      this.#tokens().map(({ address }) => ({ holder, token: address })),
    )
  }

  async #changes(before: readonly bigint[]): Promise<readonly ClientBalance[]> {
    const after = await this.#balances()
    return this.#tokens().map(({ symbol, decimals }, index) => ({
      ...{ symbol, decimals, beforeRaw: before[index] ?? 0n, afterRaw: after[index] ?? 0n },
    }))
  }
}

function endOf(exitCode: number | null, reason: string | null): string {
  if (exitCode === null) return 'the client was killed'
  return `the client ended with ${exitCode}${reason === null ? '' : `, refused: ${reason}`}`
}

function endingOf(exitCode: number | null): ClientEnding {
  if (exitCode === EXIT_DONE) return 'done'
  return exitCode === EXIT_REFUSED ? 'refused' : 'failed'
}
