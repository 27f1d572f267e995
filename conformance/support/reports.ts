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

/** A swap on venue_a: an ERC-20 input, one transaction, no fee transfer. */
export const PLAIN = { ...EVERYWHERE, preferEngine: 'venue_a' } as const satisfies SwapParameters
/** A native input: no approval, and a value to match. */
export const NATIVE_IN = {
  from: 'ETH',
  to: 'USDG',
  amount: 0.5,
  preferEngine: 'venue_a',
} as const satisfies SwapParameters
/** A slippage at which the swap succeeds a second time with the same calldata, after the first has moved the price. */
export const TWICE = { ...NATIVE_IN, slippageBps: 500 } as const satisfies SwapParameters
/** The status of a report that must be sent again (§7). */
const UNAVAILABLE = 503
/** A hash that belongs to no transaction. */
export const UNKNOWN_HASH: Hex = `0x${'ab'.repeat(32)}`
/** An id that belongs to no build. */
export const UNKNOWN_BUILD = '00000000-0000-4000-8000-000000000000'

/** Returns the hexadecimal text with its digits in upper case. */
export const inUpperCase = (hex: string): Hex => `0x${hex.slice(2).toUpperCase()}`

/** Returns the text with the case of each letter swapped. */
export const inOtherCase = (text: string): string =>
  [...text].map((one) => (one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase())).join('')

/** Facts about a report that builds and chain do not show, and the outcome that the case stages. */
interface ReportIntent
  extends Partial<Pick<ObservedReport, 'key' | 'malformed' | 'budget' | 'verification' | 'mustBe'>> {
  /** Requirements that the report exercises: each must be judged. */
  readonly clauses?: readonly RequirementId[]
  /** The key that reports. Default: the key that made the build. */
  readonly by?: KeyName
  /** The build whose report is the twin of a refusal. Default: the build itself, or any report if there is no build. */
  readonly twin?: BuildResponse
  /** True if the case may change the chain during the report: the response may then reflect the chain before or after. */
  readonly changesChain?: boolean
  /** Sends the report. Default: as two fields, with the client of the key. */
  readonly send?: (client: SwapClient) => Promise<Answer>
}

/** A report: a transaction, its build and the key. */
interface Pair {
  readonly keyId: KeyName
  readonly buildId: string
  readonly txHash: Hex
}

/** The builds and reports of one case, judged as one history: each report by its build, the earlier credits and the chain. */
export class Reports {
  readonly #environment: Environment
  readonly #history = new JudgedHistory()
  readonly #hashes = new Set<Hex>()
  /** The reason why the case does not apply to the target; null: it applies. */
  notApplicable: string | null = null
  readonly notes: string[] = []

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** Number of reports that were judged. */
  get count(): number {
    return this.#history.count
  }

  /** Builds a swap that can be reported; null for `ask`: the sample swap of the environment. */
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

  /** Adds a build made under a key at `createdAtMs` (epoch ms). A build without attribution cannot be reported. */
  add(build: BuildResponse, sender: string, keyId: KeyName, createdAtMs: number): void {
    const { tx, attribution } = build
    if (attribution === null) return
    const until = parseValidUntil(attribution.validUntil)
    // §8: 20 minutes from the build, if the format of `validUntil` is unknown.
    const validUntilMs = until?.epochMs ?? createdAtMs + LIMITS.attributionWindowMs
    const facts = { target: tx.to, calldata: tx.data, valueRaw: BigInt(tx.value), createdAtMs, validUntilMs }
    const { buildId } = attribution
    this.#history.addBuild({ keyId, buildId, sender, ...facts })
  }

  /** Returns the last second of a build's window (epoch seconds). @throws {BlamedError} if it cannot be reported. */
  windowEndS(build: BuildResponse): number {
    const known = this.#history.build(buildIdOf(build))
    assumeServed(known !== undefined, 'the build has no attribution')
    return Math.floor(known.validUntilMs / 1_000)
  }

  /** Builds, prepares and executes a swap that must succeed: one confirmation deep. */
  async swap(ask: SwapParameters = PLAIN, key: KeyName = 'one'): Promise<Executed> {
    const environment = withParts(this.#environment, ['control'])
    const build = await this.build(ask, key)
    await prepareMined(environment, 'alice', ask, build)
    const executed = await execute(environment, 'alice', build)
    assumeServed(executed.receipt.success, REVERTS)
    return executed
  }

  /** Does the same and mines until the swap is 13 deep, which is enough however a service counts confirmations. */
  async deepSwap(ask: SwapParameters = PLAIN, key: KeyName = 'one'): Promise<Executed> {
    const executed = await this.swap(ask, key)
    await this.#environment.control?.mine(12)
    return executed
  }

  /** Prepares a valid report: in a sandbox of a swap that is deep enough; elsewhere of a build whose swap was never sent. */
  async reportable(key: KeyName = 'one'): Promise<{ readonly build: BuildResponse; readonly txHash: Hex }> {
    if (this.#environment.control === null)
      return { build: await this.build(null, key), txHash: UNKNOWN_HASH }
    const { build, swap } = await this.deepSwap(PLAIN, key)
    return { build, txHash: swap.hash }
  }

  /** Sends the report that `reportable` prepared: it must be recorded, or pending if its swap was never sent. */
  async taken(build: BuildResponse, txHash: Hex, ...clauses: readonly RequirementId[]): Promise<void> {
    await this[txHash === UNKNOWN_HASH ? 'pending' : 'recorded'](build, txHash, ...clauses)
  }

  readonly recorded = this.#reporting('recorded')
  readonly pending = this.#reporting('pending')
  readonly rejected = this.#reporting('rejected')
  readonly conflicting = this.#reporting('conflict')

  /** Returns a function that sends a report which must have one outcome. */
  #reporting(mustBe: ObservedReport['mustBe']) {
    return async (
      build: BuildResponse,
      txHash: string,
      ...clauses: readonly RequirementId[]
    ): Promise<void> => {
      await this.send(build, txHash, { mustBe, clauses })
    }
  }

  /** Executes and reports the build's own swap, which must be recorded regardless of earlier reports. */
  async ownRecorded(build: BuildResponse, ...clauses: readonly RequirementId[]): Promise<void> {
    const environment = withParts(this.#environment, ['control'])
    const { swap, receipt } = await execute(environment, 'alice', build)
    assumeServed(receipt.success, REVERTS)
    await environment.control.mine(12)
    await this.recorded(build, swap.hash, ...clauses)
  }

  /**
   * Sends a report and judges it by everything that is known.
   *
   * @param build a build of this history, or an unknown id.
   * @throws {PromiseBrokenError}
   * @throws {BlamedError} if a clause was not judged.
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
   * Sends reports concurrently, repeats those that are pending, and judges them in an order in which they may have been
   * decided: newly recorded, already recorded, and the rest.
   *
   * @throws {PromiseBrokenError} if no order explains the responses.
   */
  async race(pairs: readonly { readonly build: BuildResponse; readonly txHash: Hex }[]): Promise<void> {
    const sent = pairs.map(async ({ build, txHash }) => {
      const buildId = buildIdOf(build)
      const keyId = this.#history.build(buildId)?.keyId as KeyName
      const report = () => this.#environment.client(keyId).confirm({ buildId, txHash })
      return { pair: { keyId, buildId, txHash }, report, first: await report() }
    })
    const raced = await Promise.all(sent)
    // §7: storage held by another report is temporarily unavailable; it is free once all reports were answered.
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

  /** Returns the facts of a valid report. A 429 that no declared budget explains leaves the rest of the report unknown. */
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

/** Returns the position of a response in the order in which concurrent reports may have been decided. */
function turnOf(answer: Answer): number {
  if (answer.status !== 200) return 2
  return bodyOf(answer).alreadyRecorded === false ? 0 : 1
}

const isFailure = ({ outcome }: Verdict) => outcome === 'fail'

/** Returns the run of a case whose reports form one history; it exercises as many requests as reports. */
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

/** Returns the buildId of a build. @throws {BlamedError} if it has no attribution. */
export function buildIdOf(build: BuildResponse): string {
  assumeServed(build.attribution !== null, 'the build has no attribution')
  return build.attribution.buildId
}

/** Returns the reason why a case about a second of the window does not apply to a build; null: it applies. */
export const whyNoSecond = (build: BuildResponse): string | null =>
  parseValidUntil(build.attribution?.validUntil) === null
    ? 'validUntil is written in a form that is not known'
    : null
