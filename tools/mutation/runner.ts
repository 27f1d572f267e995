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
import { ARGUMENTS } from './arguments/index.ts'
import type { Bench } from './bench.ts'
import { type Entry, keyOfMutant, NO_START, readJournal } from './journal.ts'
import { inOrder, type Memory, memoryOf, rarelyRun, remembering, withinShare } from './order.ts'
import { lineOf } from './source.ts'
import { type Verdict, withOneMore } from './verdict.ts'
import { startWatchdog } from './watchdog.ts'
import { arguedSame } from './weigh.ts'

/** Of a check, on a machine that others use too; beyond it, it hangs. */
const LEAST_LIMIT_MS = 8_000
const LIMIT_PER_COST = 10
const UNKNOWN_COST_LIMIT_MS = 120_000
/** How much longer until the process is ended: the main thread should have given up by then. */
const GRACE_MS = 4_000

/** A first look may put a part of the checks to each mutant: what it kills is dead, what survives it is to be put to all. */
const SHARE = Number(process.env.MUTATION_SHARE ?? 1)

/** What earlier runs settled, when this one is to go on where they stopped. */
const SETTLED: ReadonlyMap<string, Entry> = process.env.MUTATION_RESUME ? readJournal() : new Map()

/** No check can be asked to kill these: they are not put again either. */
const ARGUED = arguedSame([...SETTLED.values()], ARGUMENTS, lineOf)

/** Here, before the process goes to the sandbox: files are told apart by where they lie in the checkout. */
const EARLIER: Memory = memoryOf(SETTLED.values())

/** What the instrumented service reads, and counts in. */
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
 * Puts the checks of the suites to mutants of the service, all in this process and one world. Stryker starts it in the
 * sandbox, whose copy of the service holds every mutant behind a switch.
 */
export class SuiteRunner implements TestRunner {
  #bench: Bench | null = null
  /** The mutant that an earlier process looped in, until it was ended. */
  readonly #stuckFile = join(process.cwd(), 'stuck')
  readonly #watchdog = startWatchdog(this.#stuckFile)
  readonly #memoryFile = join(process.cwd(), 'memory.json')
  #memory: Memory = existsSync(this.#memoryFile)
    ? (JSON.parse(readFileSync(this.#memoryFile, 'utf8')) as Memory)
    : EARLIER

  constructor() {
    // Stryker, interrupted, leaves its processes to themselves.
    process.once('disconnect', () => process.exit())
  }

  capabilities() {
    // A module is evaluated once in a process: a mutant of what runs then needs a process of its own.
    return { reloadEnvironment: false }
  }

  async dryRun(): Promise<DryRunResult> {
    const coverage: MutantCoverage = { static: {}, perTest: {} }
    context.mutantCoverage = coverage
    const { openBench } = await loadBench()
    const whileLoading = new Set(Object.keys(coverage.static))
    const bench = await openBench()
    this.#bench = bench
    await forgetRestarts(coverage, whileLoading, bench)
    const tests: TestResult[] = []
    for (const check of bench.checks) {
      context.currentTestId = check.id
      const startedMs = performance.now()
      const put = await bench.put(check, UNKNOWN_COST_LIMIT_MS)
      const timeSpentMs = Math.ceil(performance.now() - startedMs)
      const status = put.end === 'judged' ? put.result.status : put.end
      const about = { id: check.id, name: check.id, timeSpentMs }
      if (status === 'pass' || status === 'observed') tests.push({ ...about, status: TestStatus.Success })
      else tests.push({ ...about, status: TestStatus.Failed, failureMessage: `it ended ${status}` })
    }
    context.currentTestId = undefined
    this.#remember({
      ...EARLIER,
      costMs: Object.fromEntries(tests.map((test) => [test.id, test.timeSpentMs])),
      rare: rarelyRun(coverage.perTest),
    })
    return { status: DryRunStatus.Complete, tests, mutantCoverage: coverage }
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, mutantActivation, hitLimit, testFilter } = options
    if (existsSync(this.#stuckFile) && readFileSync(this.#stuckFile, 'utf8') === activeMutant.id)
      return { status: MutantRunStatus.Timeout, reason: 'an endless loop' }
    const settled = SETTLED.get(keyOfMutant(activeMutant))
    const before = settled && settledBefore(settled, testFilter?.length ?? Number.POSITIVE_INFINITY)
    if (before) return before
    const place = {
      file: activeMutant.fileName,
      line: activeMutant.location.start.line,
      id: Number(activeMutant.id),
    }
    context.hitCount = hitLimit === undefined ? undefined : 0
    context.hitLimit = hitLimit
    const isStatic = mutantActivation === 'static'
    context.activeMutant = isStatic ? activeMutant.id : undefined
    try {
      this.#bench ??= await (await loadBench()).openBench()
    } catch (error) {
      if (!isStatic) throw error
      return { status: MutantRunStatus.Error, errorMessage: `${NO_START}${messageOf(error)}` }
    }
    const bench = this.#bench
    context.activeMutant = activeMutant.id
    const wanted = testFilter === undefined ? null : new Set(testFilter)
    const covering = bench.checks.filter(({ id }) => wanted?.has(id) ?? true)
    const checks = withinShare(inOrder(covering, this.#memory, place), this.#memory, SHARE)
    let verdict: Verdict = { kind: 'survived' }
    let tried = 0
    for (const check of checks) {
      tried += 1
      const limitMs = this.#limitMsOf(check.id)
      this.#watchdog.watch(activeMutant.id, limitMs + GRACE_MS)
      const put = await bench.put(check, limitMs)
      this.#watchdog.rest()
      // The error that ends a loop is the instrumenter's, and no behaviour of the mutant.
      const looped = hitLimit !== undefined && (context.hitCount ?? 0) > hitLimit
      const after = withOneMore(verdict, check.id, looped ? { end: 'time-out' } : put)
      verdict = after.verdict
      if (after.final) break
    }
    if (!isStatic) {
      context.activeMutant = undefined
      const sound = verdict.kind === 'survived' || (await this.#isSound(bench, verdict))
      if (!sound) await this.#discard()
      if (!sound && verdict.kind === 'killed') return this.mutantRun(options)
    }
    if (verdict.kind === 'killed') this.#remember(remembering(this.#memory, verdict.by, place))
    return resultOf(verdict, tried)
  }

  async dispose(): Promise<void> {
    await this.#discard()
    await this.#watchdog.stop()
  }

  /** Whether the world is as it was: with the mutant switched off, the service starts and passes what killed it. */
  async #isSound(bench: Bench, verdict: Verdict): Promise<boolean> {
    if (verdict.kind !== 'killed') return false
    const twin = bench.checks.find(({ id }) => id === verdict.by)
    if (twin === undefined) return false
    const put = await bench.put(twin, this.#limitMsOf(twin.id))
    return put.end === 'judged' && (put.result.status === 'pass' || put.result.status === 'observed')
  }

  async #discard(): Promise<void> {
    const bench = this.#bench
    this.#bench = null
    // What a mutant broke may not even let itself be ended; Anvil ends with this process at the latest.
    await bench?.stop().catch(() => {})
  }

  #limitMsOf(check: string): number {
    return Math.max(LEAST_LIMIT_MS, (this.#memory.costMs[check] ?? 0) * LIMIT_PER_COST)
  }

  #remember(memory: Memory): void {
    this.#memory = memory
    writeFileSync(this.#memoryFile, JSON.stringify(memory))
  }
}

/** The bench of the sandbox: this file itself lies in the checkout, whose service holds no mutants. */
function loadBench(): Promise<typeof import('./bench.ts')> {
  return import(pathToFileURL(join(process.cwd(), 'tools/mutation/bench.ts')).href)
}

/**
 * What runs when the world is made, and again whenever its service starts, is no static code: every check runs it. What
 * runs only when the world is made stays static.
 */
async function forgetRestarts(
  coverage: MutantCoverage,
  whileLoading: ReadonlySet<string>,
  bench: Bench,
): Promise<void> {
  context.currentTestId = 'restart'
  await bench.restart()
  for (const mutant of Object.keys(coverage.perTest.restart ?? {})) {
    if (!whileLoading.has(mutant)) delete coverage.static[mutant]
  }
  delete coverage.perTest.restart
}

function resultOf(verdict: Verdict, nrOfTests: number): MutantRunResult {
  switch (verdict.kind) {
    case 'killed':
      return {
        status: MutantRunStatus.Killed,
        killedBy: [verdict.by],
        failureMessage: verdict.message,
        nrOfTests,
      }
    case 'time-out':
      return { status: MutantRunStatus.Timeout, reason: verdict.check }
    case 'mute':
      return { status: MutantRunStatus.Error, errorMessage: verdict.why }
    case 'no-start':
      return { status: MutantRunStatus.Error, errorMessage: `${NO_START}${verdict.why}` }
    case 'survived':
      return { status: MutantRunStatus.Survived, nrOfTests }
  }
}

/**
 * The verdict of an earlier run, if it still stands: a survivor was put to as many checks as there are for it now, or is
 * argued.
 */
function settledBefore(entry: Entry, covering: number): MutantRunResult | null {
  const { status, reason, put } = entry
  const [by = '', ...message] = reason.split(' ')
  if (status === 'Killed') {
    const failureMessage = message.join(' ')
    return { status: MutantRunStatus.Killed, killedBy: [by], failureMessage, nrOfTests: put }
  }
  if (status === 'Timeout') return { status: MutantRunStatus.Timeout, reason }
  if (status === 'Survived' && (put >= covering || ARGUED.has(entry)))
    return { status: MutantRunStatus.Survived, nrOfTests: put }
  return null
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
