import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { INSTRUMENTER_CONSTANTS, type MutantCoverage } from '@stryker-mutator/api/core'
import {
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  TestStatus,
} from '@stryker-mutator/api/test-runner'
import { readArguments } from './arguments.ts'
import { isArguedEquivalent } from './figures.ts'
import { type Entry, idOf, keyOf, NO_START, readJournal } from './journal.ts'
import { inOrder, type Memory, memoryOf, rarelyReached, withKill } from './order.ts'
import type { Suite } from './suite.ts'
import { nextVerdict, type Outcome, type Verdict } from './verdict.ts'
import { startWatchdog } from './watchdog.ts'

/** A case that takes longer hangs, even on a busy machine. */
const LEAST_LIMIT_MS = 8_000
const LIMIT_PER_COST = 10
const UNKNOWN_COST_LIMIT_MS = 120_000
/** How much later the watchdog ends the process: by then the main thread should have given up. */
const GRACE_MS = 4_000

/** The results that a run with MUTATION_RESUME=1 takes over. */
const EARLIER: ReadonlyMap<string, Entry> = process.env.MUTATION_RESUME ? readJournal() : new Map()
const ARGUMENTS = readArguments()

/** What the instrumented service reads and counts in. */
interface Switchboard {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  mutantCoverage?: MutantCoverage
  hitCount?: number | undefined
  hitLimit?: number | undefined
}

const context: Switchboard = {}
Object.assign(globalThis, { [INSTRUMENTER_CONSTANTS.NAMESPACE]: context })

/**
 * Runs the suites against mutants of the service, all in this process and one world. Stryker starts it in its sandbox,
 * whose copy of the service holds every mutant behind a switch.
 */
export class SuiteRunner implements TestRunner {
  #suite: Suite | null = null
  /** Holds the id of the mutant that an earlier process looped in until it was ended. */
  readonly #stuckFile = join(process.cwd(), 'stuck')
  readonly #watchdog = startWatchdog(this.#stuckFile)
  readonly #memoryFile = join(process.cwd(), 'memory.json')
  #memory: Memory = existsSync(this.#memoryFile)
    ? (JSON.parse(readFileSync(this.#memoryFile, 'utf8')) as Memory)
    : memoryOf(EARLIER.values())

  constructor() {
    // An interrupted Stryker does not end its processes.
    process.once('disconnect', () => process.exit())
  }

  capabilities() {
    // A module is evaluated once in a process: a mutant of what runs then needs a process of its own.
    return { reloadEnvironment: false }
  }

  async dryRun(): Promise<DryRunResult> {
    const coverage: MutantCoverage = { static: {}, perTest: {} }
    context.mutantCoverage = coverage
    const { openSuite } = await loadSuite()
    const whileLoading = new Set(Object.keys(coverage.static))
    const suite = await openSuite()
    this.#suite = suite
    await moveRestartsOutOfStatic(coverage, whileLoading, suite)
    const tests: TestResult[] = []
    for (const testCase of suite.cases) {
      context.currentTestId = testCase.id
      const startedMs = performance.now()
      const outcome = await suite.run(testCase, UNKNOWN_COST_LIMIT_MS)
      const timeSpentMs = Math.ceil(performance.now() - startedMs)
      const about = { id: testCase.id, name: testCase.id, timeSpentMs }
      if (isGood(outcome)) tests.push({ ...about, status: TestStatus.Success })
      else {
        const ended = outcome.end === 'judged' ? outcome.result.status : outcome.end
        tests.push({ ...about, status: TestStatus.Failed, failureMessage: `it ended ${ended}` })
      }
    }
    context.currentTestId = undefined
    const costMs = Object.fromEntries(tests.map((test) => [test.id, test.timeSpentMs]))
    this.#remember({ ...this.#memory, costMs, rare: rarelyReached(coverage.perTest) })
    return { status: DryRunStatus.Complete, tests, mutantCoverage: coverage }
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, mutantActivation, testFilter, hitLimit } = options
    if (existsSync(this.#stuckFile) && readFileSync(this.#stuckFile, 'utf8') === activeMutant.id)
      return { status: MutantRunStatus.Timeout, reason: 'an endless loop' }
    const id = idOf(activeMutant)
    const earlier = EARLIER.get(keyOf(id))
    const kept = earlier && keptResult(earlier, testFilter?.length ?? Number.POSITIVE_INFINITY)
    if (kept) return kept
    const mutant = { file: id.file, line: activeMutant.location.start.line + 1, id: Number(activeMutant.id) }
    context.hitCount = hitLimit === undefined ? undefined : 0
    context.hitLimit = hitLimit
    const isStatic = mutantActivation === 'static'
    context.activeMutant = isStatic ? activeMutant.id : undefined
    try {
      this.#suite ??= await (await loadSuite()).openSuite()
    } catch (error) {
      if (!isStatic) throw error
      return { status: MutantRunStatus.Error, errorMessage: `${NO_START}${messageOf(error)}` }
    }
    const suite = this.#suite
    context.activeMutant = activeMutant.id
    const reaching = suite.cases.filter((testCase) => testFilter?.includes(testCase.id) ?? true)
    let verdict: Verdict = { kind: 'survived' }
    let ran = 0
    for (const testCase of inOrder(reaching, this.#memory, mutant)) {
      ran += 1
      const limitMs = this.#limitMsOf(testCase.id)
      this.#watchdog.watch(activeMutant.id, limitMs + GRACE_MS)
      const outcome = await suite.run(testCase, limitMs)
      this.#watchdog.rest()
      // The error that ends a loop is the instrumenter's, and no behaviour of the mutant.
      const looped = hitLimit !== undefined && (context.hitCount ?? 0) > hitLimit
      const next = nextVerdict(verdict, testCase.id, looped ? { end: 'time-out' } : outcome)
      verdict = next.verdict
      if (next.final) break
    }
    if (!isStatic) {
      context.activeMutant = undefined
      const sound = verdict.kind === 'survived' || (await this.#isSound(suite, verdict))
      if (!sound) await this.#discard()
      if (!sound && verdict.kind === 'killed') return this.mutantRun(options)
    }
    if (verdict.kind === 'killed') this.#remember(withKill(this.#memory, verdict.by, mutant))
    return resultOf(verdict, ran)
  }

  async dispose(): Promise<void> {
    await this.#discard()
    await this.#watchdog.stop()
  }

  /** Whether the world is unharmed: with the mutant switched off, the case that killed it must pass. */
  async #isSound(suite: Suite, verdict: Verdict): Promise<boolean> {
    const killer = verdict.kind === 'killed' && suite.cases.find(({ id }) => id === verdict.by)
    return killer ? isGood(await suite.run(killer, this.#limitMsOf(killer.id))) : false
  }

  async #discard(): Promise<void> {
    const suite = this.#suite
    this.#suite = null
    // A mutant may prevent a clean stop; Anvil ends with this process at the latest.
    await suite?.stop().catch(() => {})
  }

  #limitMsOf(id: string): number {
    return Math.max(LEAST_LIMIT_MS, (this.#memory.costMs[id] ?? 0) * LIMIT_PER_COST)
  }

  #remember(memory: Memory): void {
    this.#memory = memory
    writeFileSync(this.#memoryFile, JSON.stringify(memory))
  }
}

/** The sandbox's own copy: this file runs from the checkout, whose service holds no mutants. */
function loadSuite(): Promise<typeof import('./suite.ts')> {
  return import(pathToFileURL(join(process.cwd(), 'tools/mutation/suite.ts')).href)
}

/** Code that runs whenever the service starts is not static: every case runs it. */
async function moveRestartsOutOfStatic(
  coverage: MutantCoverage,
  whileLoading: ReadonlySet<string>,
  suite: Suite,
): Promise<void> {
  context.currentTestId = 'restart'
  await suite.restart()
  for (const mutant of Object.keys(coverage.perTest.restart ?? {}))
    if (!whileLoading.has(mutant)) delete coverage.static[mutant]
  delete coverage.perTest.restart
}

function isGood(outcome: Outcome): boolean {
  return outcome.end === 'judged' && ['pass', 'observed'].includes(outcome.result.status)
}

function resultOf(verdict: Verdict, nrOfTests: number): MutantRunResult {
  switch (verdict.kind) {
    case 'killed': {
      const { by, message } = verdict
      return { status: MutantRunStatus.Killed, killedBy: [by], failureMessage: message, nrOfTests }
    }
    case 'time-out':
      return { status: MutantRunStatus.Timeout, reason: verdict.by }
    case 'inconclusive':
      return { status: MutantRunStatus.Error, errorMessage: verdict.why }
    case 'no-start':
      return { status: MutantRunStatus.Error, errorMessage: `${NO_START}${verdict.why}` }
    case 'survived':
      return { status: MutantRunStatus.Survived, nrOfTests }
  }
}

/** The earlier result if it still stands: a survivor met as many cases as reach it now, or is argued equivalent. */
function keptResult(entry: Entry, reaching: number): MutantRunResult | null {
  const { status, reason, ran } = entry
  if (status === 'Killed') {
    const [by = '', ...message] = reason.split(' ')
    return resultOf({ kind: 'killed', by, message: message.join(' ') }, ran)
  }
  if (status === 'Timeout') return resultOf({ kind: 'time-out', by: reason }, ran)
  if (status === 'Survived' && (ran >= reaching || isArguedEquivalent(entry, ARGUMENTS)))
    return resultOf({ kind: 'survived' }, ran)
  return null
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
