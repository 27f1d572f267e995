import { type ForkOptions, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { ENGINE_FLAGS } from '../../host/engine.ts'
import { unwatch, watch } from '../../host/watchdog.ts'
import { PlumblineError } from '../../spec/errors.ts'

/** Runs tasks, in its own environment. */
export interface Worker<Task, Result> {
  /** Number of tasks that it runs concurrently. Default: 1. */
  readonly atOnce?: number
  run(task: Task): Promise<Result>
  stop(): Promise<void>
}

/** A worker in a process that can be killed at any time. */
export interface ConfinedWorker<Task, Result> extends Worker<Task, Result> {
  kill(): void
}

/** A worker process ended unexpectedly, or its task broke the harness inside it. */
export class WorkerError extends PlumblineError {
  override readonly name = 'WorkerError'
  /** Signal that ended the process; null: none did. */
  readonly signal: NodeJS.Signals | null
  constructor(problem: string, signal: NodeJS.Signals | null = null) {
    super(
      `a worker failed: ${problem}`,
      'Run with --workers 1, which shows the error where it happens; with less memory, run fewer workers.',
    )
    this.signal = signal
  }
}

/** Returns a function that passes results on in the order of their numbers, each as soon as it and all before it are there. */
export function inOrder<Result>(
  pass: (result: Result, index: number) => void,
): (result: Result, index: number) => void {
  const done = new Map<number, Result>()
  let next = 0
  return (result, index) => {
    done.set(index, result)
    for (; done.has(next); next += 1) pass(done.get(next) as Result, next)
  }
}

/**
 * Gives each task to a worker that has room for it, and reports the results in the order of the tasks, each as soon as it and
 * all before it are there, so that the order does not depend on the number of workers. After a failure no more tasks begin.
 */
export async function runInOrder<Task, Result>(
  workers: readonly Pick<Worker<Task, Result>, 'run' | 'atOnce'>[],
  tasks: readonly Task[],
  onResult: (result: Result, index: number) => void = () => {},
): Promise<readonly Result[]> {
  const results: Result[] = []
  let next = 0
  const report = inOrder<Result>((result, index) => {
    results.push(result)
    onResult(result, index)
  })
  const work = async (worker: Pick<Worker<Task, Result>, 'run'>): Promise<void> => {
    try {
      for (let index = next++; index < tasks.length; index = next++) {
        report(await worker.run(tasks[index] as Task), index)
      }
    } catch (error) {
      next = tasks.length
      throw error
    }
  }
  const rounds = Math.max(...workers.map(({ atOnce = 1 }) => atOnce))
  // Each worker gets its first task before any gets its second.
  const lanes = Array.from({ length: rounds }, (_, round) =>
    workers.filter(({ atOnce = 1 }) => round < atOnce),
  ).flat()
  await Promise.all(lanes.map(work))
  return results
}

/** Opens workers, lets `use` run tasks on them, and stops them. */
export async function withWorkers<Task, Result, Outcome>(
  open: () => Promise<readonly Worker<Task, Result>[]>,
  use: (workers: readonly Worker<Task, Result>[]) => Promise<Outcome>,
): Promise<Outcome> {
  const workers = await open()
  try {
    return await use(workers)
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
  }
}

/** Reply of a worker process to the task of a number: its result, or the error. */
type WorkerAnswer = { readonly number: number } & ({ readonly result: unknown } | { readonly error: string })

/** Message to a worker process: first the job that its tasks belong to, then each task with its number. Plain data. */
type WorkerMessage<Job, Task> = { readonly job: Job } | { readonly number: number; readonly task: Task }

/**
 * Sizes of V8's young generation, in MB: with less, objects of a world are promoted before a reset frees them. With these, a
 * reset takes a tenth less processor time.
 */
const FLAGS = [
  ...ENGINE_FLAGS,
  '--enable-source-maps',
  '--min-semi-space-size=32',
  '--max-semi-space-size=64',
]

/** Returns options for a process that is limited to this much memory, and communicates through its messages only. */
export function confinedLaunch(memoryMib: number): Pick<ForkOptions, 'execArgv' | 'stdio'> {
  return {
    execArgv: [...FLAGS, `--max-old-space-size=${memoryMib}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  }
}

/**
 * Starts a worker in a separate process.
 *
 * @param program the worker program; it calls `serveWorker`.
 * @param job data that the program needs to open the worker.
 * @param atOnce number of tasks that the program runs concurrently.
 * @param launch the Node to run it in, and its options. Default: this Node, with memory for worlds.
 */
export function forkWorker<Job, Task, Result>(
  program: URL,
  job: Job,
  atOnce = 1,
  launch: Pick<ForkOptions, 'execPath' | 'execArgv' | 'stdio'> = { execArgv: [...FLAGS] },
): ConfinedWorker<Task, Result> {
  const child = fork(fileURLToPath(program), launch)
  const { pid } = child
  // The process notices that its parent is gone only when its event loop is free, and a task may take minutes.
  if (pid !== undefined) watch('process', pid)
  const ended = once(child, 'exit').then(([code, signal]) => {
    if (pid !== undefined) unwatch('process', pid)
    throw new WorkerError(`it ended with ${code ?? signal}`, signal as NodeJS.Signals | null)
  })
  ended.catch(() => {})
  const waiting = new Map<number, (answer: WorkerAnswer) => void>()
  let tasks = 0
  // A process that was just killed cannot be sent anything; `ended` reports that.
  const send = (message: WorkerMessage<Job, Task>) => child.send(message, () => {})
  send({ job })
  child.on('message', (answer: WorkerAnswer) => {
    waiting.get(answer.number)?.(answer)
    waiting.delete(answer.number)
  })
  return {
    atOnce,
    run: async (task) => {
      if (!child.connected) {
        await ended.catch(() => {})
        throw new WorkerError('it has been stopped', child.signalCode)
      }
      const number = tasks++
      const answered = new Promise<WorkerAnswer>((resolve) => {
        waiting.set(number, resolve)
      })
      send({ number, task })
      const answer = await Promise.race([answered, ended])
      if ('error' in answer) throw new WorkerError(answer.error)
      return answer.result as Result
    },
    kill: () => child.kill('SIGKILL'),
    stop: async () => {
      // The worker stops its chain and exits when its parent disconnects.
      if (child.connected) child.disconnect()
      await ended.catch(() => {})
    },
  }
}

/** Runs a worker process: opens a worker for its job, and runs the tasks that its parent sends, as they arrive, until it disconnects. */
export async function serveWorker<Job, Task, Result>(
  open: (job: Job) => Promise<Worker<Task, Result>>,
): Promise<void> {
  if (process.send === undefined) throw new Error('this program is started by `plumbline --workers`')
  const send = process.send.bind(process)
  let worker: Promise<Worker<Task, Result>> | null = null
  const run = async (number: number, task: Task): Promise<WorkerAnswer> => {
    try {
      return { number, result: await (await (worker as Promise<Worker<Task, Result>>)).run(task) }
    } catch (error) {
      return { number, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
    }
  }
  process.on('message', (message: WorkerMessage<Job, Task>) => {
    if ('task' in message) void run(message.number, message.task).then(send)
    else {
      worker = open(message.job)
      // Each task reports the error.
      worker.catch(() => {})
    }
  })
  const leave = async () => (await worker?.catch(() => null))?.stop()
  process.on('disconnect', leave)
  // The parent may have exited while this program was still loading.
  if (!process.connected) await leave()
}
