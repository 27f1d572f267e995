import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { atExit } from '../../host/atExit.ts'
import { isWrittenByMarked } from '../../host/marked.ts'
import { type CaseResult, casesOf, type Results } from '../../reporting/results.ts'
import { planRun } from '../../runner/plan/plan.ts'
import { RunGivenUpError } from '../../runner/run/execute.ts'
import { runSuites } from '../../runner/run/run.ts'
import type { Outcome, RunRequest } from '../../runner/run/runRequest.ts'
import { redactCase } from '../../runner/verdict/outcome.ts'
import type { Ending } from '../../runner/verdict/verdict.ts'
import { UsageError } from '../../spec/errors.ts'
import { redactorOf } from '../../spec/secrets/redact.ts'
import { type SharedChain, startSharedChain } from '../../targets/chain/targetChain.ts'
import { TargetStartError } from '../../targets/errors.ts'
import { isClient, secretsOf, type TargetOptions } from '../../targets/open.ts'
import { realTime } from '../../targets/realTime.ts'
import { readRun } from '../report/readRun.ts'
import { keepResults } from '../run/keepResults.ts'
import type { RunOptions } from '../run/options.ts'
import { describeVerdict } from '../run/print.ts'
import { colours } from '../terminal/colours.ts'
import { describeError, type Output } from '../terminal/output.ts'
import { runProgress } from '../terminal/progress.ts'
import { untilInterrupted } from '../terminal/untilInterrupted.ts'
import type { Gone } from './describeRound.ts'
import { type RoundRun, watchRounds } from './rounds.ts'
import { Triggers } from './triggers.ts'
import { folderOf, isWithin, watchFiles } from './watchedFiles.ts'

/** Flags that do not apply to a service that is started repeatedly. */
const EXCLUDED = ['keepRunning', 'json', 'sandbox', 'against', 'shard'] as const

/**
 * Runs a request whenever a file of the service that it starts changes, until `q` or Ctrl-C. The sandbox stays up meanwhile,
 * and is reset for each service.
 *
 * @param write saves the results of a whole round.
 * @param readOptions reads the files of the options, which may change like those of the service.
 * @returns the ending of the last whole round.
 * @throws {UsageError} the options contradict each other.
 */
export async function watchRun(
  request: RunRequest,
  options: RunOptions,
  write: (outcome: Outcome, durationMs: number) => Promise<void>,
  readOptions: () => TargetOptions,
  output: Output,
): Promise<Ending> {
  const paths = watchedPaths(request, options)
  // The usual directory of results, even if the command writes none.
  const out = options.out ?? 'reports'
  const world = new WatchedWorld(request, readOptions)
  const triggers = new Triggers({
    ...{ nowMs: realTime.nowMs, after: realTime.after, exists: existsSync },
    // SQLite writes such files next to its database.
    isWritten: (path) => isWrittenByMarked(resolve(path.replace(/-(?:journal|wal|shm)$/, ''))),
    onIdle: () => output.out(colours.dim('waiting for a change')),
    onIgnored: (path) =>
      output.out(
        `${path} is written while cases run: its changes are ignored from now on; --watch PATH names what to watch`,
      ),
  })
  const onChange = (path: string, isNew: boolean) => triggers.change(path, isNew)
  const onProblem = (problem: string) => output.err(`not everything is watched: ${problem}`)
  const unwatch = await watchFiles(paths, out, onChange, onProblem)
  const release = watchKeys(process.stdin, (key) => triggers.press(key))
  void untilInterrupted(new Promise(() => {})).then(() => triggers.press('end'))
  const isScreen = canClear(process.stdout)
  const heading = `watching ${paths.join(', ')}; ${isScreen ? 'Enter runs all again, q ends' : 'Ctrl-C ends'}`
  if (!isScreen) output.out(heading)
  try {
    const last = await watchRounds(
      triggers,
      {
        nowMs: realTime.nowMs,
        run: (round) => world.run(round),
        describe,
        begin: () => {
          if (isScreen) process.stdout.write(`${CLEAR}${colours.dim(heading)}\n`)
          return runProgress(output, false)
        },
        say: output.out,
        keep: async (outcome, tookMs) => {
          const keep = async () => {
            await write(outcome, tookMs)
            if (options.out !== undefined) output.out(`open ${options.out}/report.html`)
          }
          await keepResults(outcome.result.verdict, keep, output)
        },
      },
      failuresBefore(request, out),
      new Set((request.baseline?.known.entries ?? []).map((entry) => entry.case)),
    )
    output.out(describeEnd(last))
    return last?.verdict ?? 'inconclusive'
  } finally {
    release()
    await unwatch()
    await world.end()
    realTime.release()
  }
}

/** @throws {UsageError} the options contradict each other. */
function watchedPaths({ target }: RunRequest, options: RunOptions): readonly string[] {
  const command = commandOf(target)
  if (command === null)
    throw new UsageError('--watch is for a program that Plumbline starts', "Give --start 'CMD'.")
  const excluded = EXCLUDED.find((flag) => options[flag] !== undefined)
  if (excluded !== undefined) {
    const flag = excluded.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    throw new UsageError(`--watch and --${flag} exclude each other`, 'Leave one of them out.')
  }
  const ofService = Array.isArray(options.watch) ? options.watch : [folderOf(command)]
  const others = [options.capabilities, options.keys].filter((path) => path !== undefined)
  return [...ofService, ...others.filter((path) => !ofService.some((folder) => isWithin(path, folder)))]
}

/** Returns the command that starts the service or the client; null: there is none. */
function commandOf(target: RunRequest['target']): string | null {
  if (isClient(target)) return typeof target.client === 'string' ? target.client : null
  return target !== 'reference' && 'start' in target ? target.start : null
}

/** Returns the closing line, which explains the exit code. */
function describeEnd(last: Results | null): string {
  return last === null
    ? 'the watch is over: inconclusive, no round was completed'
    : `the watch is over; its last whole round: ${describeVerdict(last)}`
}

/** Returns the ids of the cases of a request that failed in the run in `out`. */
function failuresBefore(request: RunRequest, out: string): readonly string[] {
  const planned = new Set(
    planRun(request).suites.flatMap((suite) => suite.planned.map(({ testCase }) => testCase.id)),
  )
  try {
    return casesOf(readRun(out).results)
      .filter(({ id, status }) => status === 'fail' && planned.has(id))
      .map(({ id }) => id)
  } catch {
    // There is no run, or it is of another version: no failures are known.
    return []
  }
}

/** A sandbox and the runs on it, one after another. */
class WatchedWorld {
  readonly #request: RunRequest
  readonly #readOptions: () => TargetOptions
  #chain: SharedChain | null = null

  constructor(request: RunRequest, readOptions: () => TargetOptions) {
    this.#request = request
    this.#readOptions = readOptions
  }

  /** @throws what `runSuites` throws; {RunGivenUpError} {UsageError} a file of the options cannot be used. */
  async run({ signal, progress, rank, onResult, onGone }: RoundRun): Promise<Outcome> {
    const options = this.#readOptions()
    const redact = redactorOf(secretsOf(this.#request.target, options))
    try {
      this.#chain ??= await startSharedChain()
      if (signal.aborted) throw new RunGivenUpError()
      return await runSuites({
        ...{ ...this.#request, options, progress },
        onResult: (result) => {
          this.#request.onResult?.(result)
          onResult(structuredClone(redactCase(result, redact)) as CaseResult)
        },
        watch: { chain: this.#chain, signal, rank, onGone },
      })
    } catch (error) {
      // The error may come from the chain: the next run starts a new one.
      if (!signal.aborted && !(error instanceof TargetStartError)) await this.end()
      throw error
    }
  }

  async end(): Promise<void> {
    const chain = this.#chain
    this.#chain = null
    await chain?.end()
  }
}

function describe(error: unknown): Gone {
  // A file of the options is invalid; another change may fix it.
  if (error instanceof UsageError)
    return { what: 'nothing was run:', why: `${error.message}\n  ${error.advice}`, output: '' }
  if (!(error instanceof TargetStartError)) return { why: describeError(error), output: '' }
  const [why = ''] = error.message.split('\n', 1)
  return { why: `${why}\n  ${error.advice}`, output: error.output }
}

/** Clears a terminal, with its scrollback. */
const CLEAR = '\x1b[2J\x1b[3J\x1b[H'

/** Returns whether a terminal can be cleared. Some tools emulate one of unknown width. */
function canClear({ isTTY, columns }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>): boolean {
  return isTTY && columns > 0 && process.env.TERM !== 'dumb'
}

/** Keys as a terminal in raw mode sends them; `\x03` is Ctrl-C, `\x04` Ctrl-D. */
const END: ReadonlySet<string> = new Set(['q', 'Q', '\x03', '\x04'])
const AGAIN: ReadonlySet<string> = new Set(['\r', '\n'])

/**
 * Listens to the keys of a terminal; does nothing if the input is not a terminal.
 *
 * @returns a function that restores the terminal.
 */
function watchKeys(input: NodeJS.ReadStream, onKey: (key: 'again' | 'end') => void): () => void {
  if (!input.isTTY) return () => {}
  const listen = (chunk: Buffer) => {
    for (const key of chunk.toString('utf8')) {
      if (END.has(key)) onKey('end')
      else if (AGAIN.has(key)) onKey('again')
    }
  }
  input.setRawMode(true)
  input.on('data', listen)
  input.resume()
  const restore = () => {
    input.setRawMode(false)
  }
  const forget = atExit(restore)
  return () => {
    forget()
    input.off('data', listen)
    input.pause()
    restore()
  }
}
