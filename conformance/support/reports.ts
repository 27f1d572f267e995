import type { Hex } from 'viem'
import { ACCOUNTS, type AccountName } from '../../src/fixtures/accounts.ts'
import {
  bodyOf,
  type ObservedReport,
  parseValidUntil,
  STAGED_STATUS,
  type SwapParameters,
  type Verdict,
} from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import { readChainFacts } from '../../src/simulation/world/chainFacts.ts'
import { LIMITS } from '../../src/spec/limits.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import type { BuildResponse } from '../../src/spec/wire.ts'
import type { Answer, SwapClient } from '../../src/targets/environment/client.ts'
import {
  type Environment,
  type KeyName,
  type Part,
  type With,
  withParts,
} from '../../src/targets/environment/environment.ts'
import { noteExchange } from '../../src/targets/evidence/evidence.ts'
import { assume, assumeServed, responseText } from './expect.ts'
import { JudgedHistory, type Moments, REVERTS } from './judgedHistory.ts'
import { EVERYWHERE, type Executed, execute, prepareMined, sampleBuild, someBuild } from './swaps.ts'

/** A swap of venue_a: an ERC-20 in, one transaction, no fee transfer. */
export const PLAIN = { ...EVERYWHERE, preferEngine: 'venue_a' } as const satisfies SwapParameters
/** The native coin in: no approval, and a value to match. */
export const NATIVE_IN = {
  from: 'ETH',
  to: 'USDG',
  amount: 0.5,
  preferEngine: 'venue_a',
} as const satisfies SwapParameters
/** Whatever the first swap does to the price, the second goes through with the same calldata. */
export const TWICE = { ...NATIVE_IN, slippageBps: 500 } as const satisfies SwapParameters
/** The status of a report that is to be sent again (§7). */
const UNAVAILABLE = 503
/** The hash of no transaction. */
export const UNKNOWN_HASH: Hex = `0x${'ab'.repeat(32)}`
/** The id of no build. */
export const UNKNOWN_BUILD = '00000000-0000-4000-8000-000000000000'

/** Returns the same bytes with their digits in upper case. */
export const inUpperCase = (hex: string): Hex => `0x${hex.slice(2).toUpperCase()}`

/** Returns the same text with each letter in its other case. */
export const inOtherCase = (text: string): string =>
  [...text].map((one) => (one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase())).join('')

/** Describes what the case knows of a report that builds and chain do not show, and what it stages the report for. */
interface ReportIntent
  extends Partial<Pick<ObservedReport, 'key' | 'malformed' | 'budget' | 'verification' | 'mustBe'>> {
  /** The clauses that the report exercises: each must be judged. */
  readonly clauses?: readonly RequirementId[]
  /** The name of the key that reports. Default: the one that made the build. */
  readonly by?: KeyName
  /** The build whose report is the twin of a refusal. Default: the build itself, or any where there is none. */
  readonly twin?: BuildResponse
  /** True if the case may change the chain while the report is answered: an answer may be of the chain before or after. */
  readonly changesChain?: boolean
  /** Sends the report in another way than as two fields under the key. */
  readonly send?: (client: SwapClient) => Promise<Answer>
}

/** A transaction, the build that it is reported for, and the key. */
interface Pair {
  readonly keyId: KeyName
  readonly buildId: string
  readonly txHash: Hex
}

/** The builds and reports of one case, judged as one history: each report by its build, the credits before it and the chain. */
export class Reports {
  readonly #environment: Environment
  readonly #history = new JudgedHistory()
  readonly #hashes = new Set<Hex>()
  /** The reason why the case does not apply to the target, where it made no report; null: it does. */
  notApplicable: string | null = null
  /** Notes of the case. */
  readonly notes: string[] = []

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** The number of reports that were judged. */
  get count(): number {
    return this.#history.count
  }

  /** Builds a swap that can be reported; without `ask` the sample swap of the environment. */
  async build(
    ask: SwapParameters | null,
    key: KeyName = 'one',
    account: AccountName = 'alice',
  ): Promise<BuildResponse> {
    const createdAtMs = this.#environment.clock.nowMs()
    const build =
      ask === null
        ? await sampleBuild(this.#environment, key)
        : await someBuild(this.#environment, account, ask, key)
    const sender = ask === null ? this.#environment.samples.sender : ACCOUNTS[account].address
    this.add(build, sender, key, createdAtMs)
    return build
  }

  /** Adds a build that was made at this time, epoch milliseconds, under a key. One without attribution cannot be reported. */
  add(build: BuildResponse, sender: string, keyId: KeyName, createdAtMs: number): void {
    const { tx, attribution } = build
    if (attribution === null) return
    const until = parseValidUntil(attribution.validUntil)
    // §8: 20 minutes from the build, however the end of them is written.
    const validUntilMs = until?.epochMs ?? createdAtMs + LIMITS.attributionWindowMs
    const facts = { target: tx.to, calldata: tx.data, valueRaw: BigInt(tx.value), createdAtMs, validUntilMs }
    const { buildId } = attribution
    this.#history.addBuild({ keyId, buildId, sender, ...facts })
  }

  /** Returns the last second of the window of a build, epoch seconds. @throws {BlamedError} it cannot be reported. */
  windowEndS(build: BuildResponse): number {
    const known = this.#history.build(buildIdOf(build))
    assumeServed(known !== undefined, 'the build has no attribution')
    return Math.floor(known.validUntilMs / 1_000)
  }

  /** Builds, prepares and executes a swap that goes through: one confirmation deep. */
  async swap(ask: SwapParameters = PLAIN, key: KeyName = 'one'): Promise<Executed> {
    const environment = withParts(this.#environment, ['control'])
    const build = await this.build(ask, key)
    await prepareMined(environment, 'alice', ask, build)
    const executed = await execute(environment, 'alice', build)
    assumeServed(executed.receipt.success, REVERTS)
    return executed
  }

  /** Returns the same, 13 deep: every count of confirmations agrees that this is enough. */
  async deepSwap(ask: SwapParameters = PLAIN, key: KeyName = 'one'): Promise<Executed> {
    const executed = await this.swap(ask, key)
    await this.#environment.control?.mine(12)
    return executed
  }

  /**
   * Something to report that nothing is wrong with: in a sandbox a swap that is deep enough; elsewhere a build whose swap
   * was never sent.
   */
  async reportable(key: KeyName = 'one'): Promise<{ readonly build: BuildResponse; readonly txHash: Hex }> {
    if (this.#environment.control === null)
      return { build: await this.build(null, key), txHash: UNKNOWN_HASH }
    const { build, swap } = await this.deepSwap(PLAIN, key)
    return { build, txHash: swap.hash }
  }

  /** Reports what `reportable` made, as it is: it is recorded, or pending where its swap was never sent. */
  async taken(build: BuildResponse, txHash: Hex, ...clauses: readonly RequirementId[]): Promise<void> {
    await this[txHash === UNKNOWN_HASH ? 'pending' : 'recorded'](build, txHash, ...clauses)
  }

  readonly recorded = this.#reporting('recorded')
  readonly pending = this.#reporting('pending')
  readonly rejected = this.#reporting('rejected')
  readonly conflicting = this.#reporting('conflict')

  /** Reports a transaction for a build that must have one outcome, under some clauses. */
  #reporting(mustBe: ObservedReport['mustBe']) {
    return async (
      build: BuildResponse,
      txHash: string,
      ...clauses: readonly RequirementId[]
    ): Promise<void> => {
      await this.send(build, txHash, { mustBe, clauses })
    }
  }

  /** Executes the swap of the build itself, and reports it: it must be recorded, whatever was reported before. */
  async ownRecorded(build: BuildResponse, ...clauses: readonly RequirementId[]): Promise<void> {
    const environment = withParts(this.#environment, ['control'])
    const { swap, receipt } = await execute(environment, 'alice', build)
    assumeServed(receipt.success, REVERTS)
    await environment.control.mine(12)
    await this.recorded(build, swap.hash, ...clauses)
  }

  /**
   * Sends a report, and judges it by everything that is known.
   *
   * @param build a build of this history, or an id of none.
   * @throws {PromiseBrokenError}
   * @throws {BlamedError} a clause was not judged.
   */
  async send(build: BuildResponse | string, txHash: string, intent: ReportIntent = {}): Promise<Answer> {
    const { clauses = [], by, send, twin, changesChain = false, ...known } = intent
    const buildId = typeof build === 'string' ? build : buildIdOf(build)
    const keyId = by ?? (this.#history.build(buildId)?.keyId as KeyName | undefined) ?? 'one'
    const client = this.#environment.client(keyId)
    const report = async (): Promise<Answer> => {
      const before = await this.#chainFacts(txHash)
      const answer = await (send === undefined ? client.confirm({ buildId, txHash }) : send(client))
      const report = { ...this.#plain(), ...known, keyId, buildId, txHash, exercises: clauses, answer }
      const after = changesChain ? await this.#chainFacts(txHash) : before
      const isChanged = after.headNumber !== before.headNumber
      this.#add([{ ...report, ...before }, ...(isChanged ? [{ ...report, ...after }] : [])], answer)
      return answer
    }
    const first = await report()
    const isFinal =
      intent.mustBe === undefined ? this.#history.newest().some(isFailure) : intent.mustBe !== 'pending'
    const answer = isFinal ? await this.#environment.untilFinal(first, report) : first
    noteExchange(answer.exchange)
    this.#history.assertNewest(clauses, twin === undefined ? buildId : buildIdOf(twin))
    const { mustBe } = intent
    const isIntended = mustBe === undefined || answer.status === STAGED_STATUS[mustBe]
    assume(isIntended, `the report must be ${mustBe}, and is ${responseText(answer)}`)
    return answer
  }

  /**
   * Sends reports at the same moment, those that are pending once more, and judges them in an order in which they may have been decided:
   * what was recorded, what had been, and the rest.
   *
   * @throws {PromiseBrokenError} no order explains the responses.
   */
  async race(pairs: readonly { readonly build: BuildResponse; readonly txHash: Hex }[]): Promise<void> {
    const sent = pairs.map(async ({ build, txHash }) => {
      const buildId = buildIdOf(build)
      const keyId = this.#history.build(buildId)?.keyId as KeyName
      const report = () => this.#environment.client(keyId).confirm({ buildId, txHash })
      return { pair: { keyId, buildId, txHash }, report, first: await report() }
    })
    const raced = await Promise.all(sent)
    // §7: storage that another report holds is unavailable for as long; it is free once they are all answered.
    for (const each of raced) if (each.first.status === UNAVAILABLE) each.first = await each.report()
    const facts = await this.#chainFacts(...pairs.map(({ txHash }) => txHash))
    const decided: { readonly pair: Pair; readonly answers: readonly Answer[]; readonly last: Answer }[] = []
    for (const { pair, report, first } of raced) {
      const answers = [first]
      const last = await this.#environment.untilFinal(first, async () => {
        const answer = await report()
        answers.push(answer)
        return answer
      })
      decided.push({ pair, answers, last })
    }
    for (const { pair, answers, last } of decided.sort(
      (one, other) => turnOf(one.last) - turnOf(other.last),
    )) {
      for (const answer of answers) this.#add([{ ...this.#plain(), ...facts, ...pair, answer }], answer)
      noteExchange(last.exchange)
      this.#history.assertNewest([], pair.buildId)
    }
  }

  /** Returns what is known of a report with which nothing is wrong. A 429 that no declared budget explains says nothing about its rest. */
  #plain() {
    const budget = this.#environment.confirmBudget === null ? 'unknown' : 'left'
    return { key: 'active', malformed: null, budget, verification: 'available' } as const
  }

  #add(moments: Moments, { exchange }: Answer): void {
    this.#environment.recording?.reported(exchange.request, moments)
    this.#history.addReport(moments)
  }

  async #chainFacts(...txHashes: readonly string[]) {
    const { control } = this.#environment
    if (control === null) return { headNumber: 0n, headTimestampS: 0n, transactions: new Map() }
    for (const txHash of txHashes)
      if (/^0x[0-9a-f]{64}$/i.test(txHash)) this.#hashes.add(txHash.toLowerCase() as Hex)
    const { head, transactions } = await readChainFacts(control.sandbox, [...this.#hashes])
    return { headNumber: head.number, headTimestampS: BigInt(head.timestampS), transactions }
  }
}

/** Returns the place of a response in the order in which reports that were sent at once may have been decided. */
function turnOf(answer: Answer): number {
  if (answer.status !== 200) return 2
  return bodyOf(answer).alreadyRecorded === false ? 0 : 1
}

const isFailure = ({ outcome }: Verdict) => outcome === 'fail'

/** Returns the run of a case whose reports are one history; what it exercises are its reports. */
export function reporting<Used extends Part>(
  work: (reports: Reports, environment: With<Used>) => Promise<void>,
): Case<Used>['run'] {
  return async (environment) => {
    const reports = new Reports(environment)
    await work(reports, environment)
    if (reports.notApplicable !== null) return { exercised: 0, notApplicable: reports.notApplicable }
    return { exercised: reports.count, notes: reports.notes }
  }
}

/** Returns the buildId of a build. @throws {BlamedError} it has no attribution. */
export function buildIdOf(build: BuildResponse): string {
  assumeServed(build.attribution !== null, 'the build has no attribution')
  return build.attribution.buildId
}

/** Why a case about a second of the window does not apply to a build; null: it does. */
export const whyNoSecond = (build: BuildResponse): string | null =>
  parseValidUntil(build.attribution?.validUntil) === null
    ? 'validUntil is written in a form that is not known'
    : null
