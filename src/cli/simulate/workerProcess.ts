import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { ScriptRun } from '../../harness/randomRun.ts'
import type { ShrunkScript } from '../../harness/shrink.ts'
import { PlumblineError } from '../../spec/errors.ts'
import type { Simulator } from './simulator.ts'
import type { WorkerAnswer, WorkerTask } from './worker.ts'

/** A process that runs scripts has ended by itself, or a script broke the harness inside it. */
export class WorkerError extends PlumblineError {
  override readonly name = 'WorkerError'
  constructor(problem: string) {
    super(
      `a worker failed: ${problem}`,
      'Run with --workers 1, which shows the error where it happens; with less memory, run fewer workers.',
    )
  }
}

/** From sources the worker needs the loader that this process has; built, neither does. */
const ENDING = extname(fileURLToPath(import.meta.url))
const WORKER = new URL(`./worker${ENDING}`, import.meta.url)

/**
 * Starts a process with a world of its own. A process and not a thread or a second world here: the tripwire watches
 * the globals of its process, and could not tell two worlds apart.
 */
export function startWorker(): Simulator {
  const loader = ENDING === '.ts' ? ['--import', tsx()] : []
  const child = fork(fileURLToPath(WORKER), [], { execArgv: loader })
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new WorkerError(`it ended with ${code ?? signal}`)
  })
  ended.catch(() => {})

  const ask = async (task: WorkerTask): Promise<ScriptRun | ShrunkScript> => {
    if (!child.connected) throw new WorkerError('it has been stopped')
    const answered = once(child, 'message')
    child.send(task)
    const [answer] = (await Promise.race([answered, ended])) as [WorkerAnswer]
    if ('error' in answer) throw new WorkerError(answer.error)
    return answer.result
  }
  return {
    run: (script) => ask({ kind: 'run', script }) as Promise<ScriptRun>,
    shrink: (script, problem) => ask({ kind: 'shrink', script, problem }) as Promise<ShrunkScript>,
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
