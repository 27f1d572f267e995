import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { PlumblineError } from '../spec/errors.ts'

/** A process that works for this one has ended by itself, or its task broke the harness inside it. */
export class WorkerError extends PlumblineError {
  override readonly name = 'WorkerError'
  constructor(problem: string) {
    super(
      `a worker failed: ${problem}`,
      'Run with --workers 1, which shows the error where it happens; with less memory, run fewer workers.',
    )
  }
}

/** From sources a worker needs the loader that this process has; built, neither does. */
const ENDING = extname(fileURLToPath(import.meta.url))

/** What a worker answers to a task. */
export type WorkerAnswer<Result> =
  | { readonly result: Result }
  /** Why there is no result. */
  | { readonly error: string }

/** A process with a program of ours in it. */
export interface ForkedWorker {
  /** One task at a time. @throws {WorkerError} */
  ask<Result>(task: object): Promise<Result>
  stop(): Promise<void>
}

/**
 * Starts a program of this package, named by its path beside `near` and without its ending, in a process of its own.
 */
export function forkWorker(program: string, near: string): ForkedWorker {
  const loader = ENDING === '.ts' ? ['--import', tsx()] : []
  const child = fork(fileURLToPath(new URL(`${program}${ENDING}`, near)), [], { execArgv: loader })
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new WorkerError(`it ended with ${code ?? signal}`)
  })
  ended.catch(() => {})
  return {
    ask: async <Result>(task: object) => {
      if (!child.connected) throw new WorkerError('it has been stopped')
      const answered = once(child, 'message')
      child.send(task)
      const [answer] = (await Promise.race([answered, ended])) as [WorkerAnswer<Result>]
      if ('error' in answer) throw new WorkerError(answer.error)
      return answer.result
    },
    stop: async () => {
      // The worker stops its chain and goes when nobody listens to it any more.
      if (child.connected) child.disconnect()
      await ended.catch(() => {})
    },
  }
}

function tsx(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
}
