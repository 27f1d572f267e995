import { type CaseResult, casesOf, type Results } from '../../reporting/results.ts'
import { planRun } from '../../runner/plan/plan.ts'
import { RunGivenUpError } from '../../runner/run/execute.ts'
import { runSuites } from '../../runner/run/run.ts'
import type { Outcome, RunRequest } from '../../runner/run/runRequest.ts'
import { redactCase } from '../../runner/verdict/outcome.ts'
import type { Ending } from '../../runner/verdict/verdict.ts'
import { PlumblineError, UsageError } from '../../spec/errors.ts'
import { redactorOf } from '../../spec/secrets/redact.ts'
import { type SharedChain, startSharedChain } from '../../targets/chain/targetChain.ts'
import { TargetStartError } from '../../targets/errors.ts'
import { scopeOf, secretsOf, type TargetOptions } from '../../targets/open.ts'
import { realTime } from '../../targets/realTime.ts'
import { readRun } from '../report/readRun.ts'
import { keepResults } from '../run/keepResults.ts'
import type { RunOptions } from '../run/options.ts'
import { describeVerdict } from '../run/print.ts'
import { describeError, type Output } from '../terminal/output.ts'
import { repeatLive } from '../terminal/progress.ts'
import { canRepaint } from '../terminal/repaint.ts'
import { untilInterrupted } from '../terminal/untilInterrupted.ts'
import { watchKeys } from './keyboard.ts'
import { type Gone, type RoundRun, watchRounds } from './rounds.ts'
import { plainScreen, terminalScreen, type WatchScreen } from './screen.ts'
import { folderOf, isWithin, watchFiles } from './watchedFiles.ts'

/** Flags that mean nothing for a service that is started again and again. */
const EXCLUDED = ['keep', 'json', 'updateBaseline', 'sandbox', 'against', 'shard'] as const

/**
 * Runs a request whenever a file of the service that it starts changes, until `q` or Ctrl-C. The sandbox stays up meanwhile,
 * and each service finds it as after its start.
 *
 * @param write keeps what a whole round came to.
 * @param readOptions what the files of the options say now: they may change like those of the service.
 * @returns how the last whole round ended.
 * @throws {UsageError} the options contradict each other.
 */
export async function watchRun(
  request: RunRequest,
  options: RunOptions,
  write: (outcome: Outcome, durationMs: number) => Promise<void>,
  readOptions: () => TargetOptions,
  output: Output,
): Promise<Ending> {
  const { target } = request
  if (typeof target === 'string' || !('start' in target))
    throw new UsageError('--watch is for a service that Plumbline starts', "Give --start 'CMD'.")
  const excluded = EXCLUDED.find((flag) => options[flag] !== undefined)
  if (excluded !== undefined) {
    const flag = excluded.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    throw new UsageError(`--watch and --${flag} exclude each other`, 'Leave one of them out.')
  }
  const ofService = Array.isArray(options.watch) ? options.watch : [folderOf(target.start)]
  const otherFiles = [options.capabilities, options.keys].filter((path) => path !== undefined)
  const paths = [
    ...ofService,
    ...otherFiles.filter((path) => !ofService.some((folder) => isWithin(path, folder))),
  ]
  // Where results usually are, for a command that writes none.
  const out = options.out ?? 'reports'
  const screen = screenOf(request, paths, output)
  const world = new WatchedWorld(request, readOptions, write, screen)
  const changes: ((path: string) => void)[] = []
  const keys: ((key: 'again' | 'end') => void)[] = []
  const files = await watchFiles(
    paths,
    out,
    (path) => {
      for (const each of changes) each(path)
    },
    (problem) => screen.note(`not everything is watched: ${problem}`),
  )
  let last: Results | null = null
  const press = (key: 'again' | 'end') => {
    for (const each of keys) each(key)
  }
  const release = watchKeys(process.stdin, press)
  void untilInterrupted(new Promise(() => {})).then(() => press('end'))
  try {
    const ending = await watchRounds(
      {
        nowMs: realTime.nowMs,
        after: (delayMs, action) => {
          const timer = setTimeout(action, delayMs)
          return () => clearTimeout(timer)
        },
        onChange: (listener) => changes.push(listener),
        onKey: (listener) => keys.push(listener),
        run: (round) => world.run(round),
        describe,
        show: (view) => screen.show(view),
        idle: () => screen.idle(),
        keep: async (result) => {
          const isKept = async () => {
            await world.write()
            if (options.out !== undefined) screen.written(`${options.out}/report.html`)
          }
          await keepResults(result.verdict, isKept, { ...output, err: (line) => screen.note(line) })
          last = result
        },
      },
      failuresBefore(request, out),
    )
    screen.end(describeEnd(last))
    return ending
  } finally {
    release()
    await files.close()
    await world.end()
    realTime.release()
  }
}

/** Returns the closing line: what the exit code is about. */
function describeEnd(last: Results | null): string {
  return last === null
    ? 'the watch is over: inconclusive, no round came to its end'
    : `the watch is over; its last whole round: ${describeVerdict(last)}`
}

function screenOf(request: RunRequest, paths: readonly string[], output: Output): WatchScreen {
  const excused = new Set((request.baseline?.known.entries ?? []).map((entry) => entry.case))
  const { stdout } = process
  return canRepaint(stdout)
    ? terminalScreen(stdout, { paths, excused }, realTime.nowMs, repeatLive)
    : plainScreen(output, { paths, excused }, realTime.nowMs, repeatLive)
}

/** Returns the cases of a request that failed in the run whose results are there. */
function failuresBefore(request: RunRequest, out: string): readonly string[] {
  const planned = new Set(
    planRun(request).suites.flatMap((suite) => suite.planned.map(({ testCase }) => testCase.id)),
  )
  try {
    return casesOf(readRun(out).results)
      .filter(({ id, status }) => status === 'fail' && planned.has(id))
      .map(({ id }) => id)
  } catch {
    // There is no run, or one of another version: then nothing is known to fail.
    return []
  }
}

/** A file of the options was changed into one that cannot be used; another change can put that right. */
class OptionFilesError extends PlumblineError {
  override readonly name = 'OptionFilesError'
  constructor({ message, advice }: UsageError) {
    super(message, advice)
  }
}

/** A sandbox and the runs on it, one after another. */
class WatchedWorld {
  readonly #request: RunRequest
  readonly #readOptions: () => TargetOptions
  readonly #write: (outcome: Outcome, durationMs: number) => Promise<void>
  readonly #screen: WatchScreen
  #chain: SharedChain | null = null
  #last: { readonly outcome: Outcome; readonly tookMs: number } | null = null

  constructor(
    request: RunRequest,
    readOptions: () => TargetOptions,
    write: (outcome: Outcome, durationMs: number) => Promise<void>,
    screen: WatchScreen,
  ) {
    this.#request = request
    this.#readOptions = readOptions
    this.#write = write
    this.#screen = screen
  }

  /** @throws what `runSuites` throws; {RunGivenUpError} {OptionFilesError} */
  async run({ signal, rank, onTotal, onRunning, onResult, onGone }: RoundRun): Promise<Results> {
    const { target } = this.#request
    const options = this.#options()
    const redact = redactorOf(secretsOf(target, options))
    const startedMs = realTime.nowMs()
    try {
      this.#chain ??= await startSharedChain()
      if (signal.aborted) throw new RunGivenUpError()
      const outcome = await runSuites({
        ...this.#request,
        options,
        onResult: (result) => onResult(structuredClone(redactCase(result, redact)) as CaseResult),
        progress: {
          start: onTotal,
          running: onRunning,
          step: () => {},
          notice: (text) => this.#screen.note(text),
          end: () => {},
        },
        watch: {
          chain: this.#chain,
          signal,
          rank,
          onGone,
        },
      })
      this.#last = { outcome, tookMs: realTime.nowMs() - startedMs }
      return outcome.result
    } catch (error) {
      // A chain that failed is not used again.
      if (!signal.aborted && !(error instanceof TargetStartError)) await this.end()
      throw error
    }
  }

  #options(): TargetOptions {
    try {
      const options = this.#readOptions()
      scopeOf(this.#request.target, options)
      return options
    } catch (error) {
      throw error instanceof UsageError ? new OptionFilesError(error) : error
    }
  }

  /** Writes the files of the last whole run. */
  async write(): Promise<void> {
    if (this.#last !== null) await this.#write(this.#last.outcome, this.#last.tookMs)
  }

  async end(): Promise<void> {
    const chain = this.#chain
    this.#chain = null
    await chain?.end()
  }
}

function describe(error: unknown): Gone {
  if (error instanceof OptionFilesError)
    return { what: 'nothing was run:', why: `${error.message}\n  ${error.advice}`, output: '' }
  if (!(error instanceof TargetStartError)) return { why: describeError(error), output: '' }
  const [why = ''] = error.message.split('\n', 1)
  return { why: `${why}\n  ${error.advice}`, output: error.output }
}
