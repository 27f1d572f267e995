import { fileURLToPath } from 'node:url'
import { realTime } from '../../../src/targets/realTime.ts'
import type { RunningProcess } from '../../runningProcess.ts'

export const PLUMBLINE = fileURLToPath(new URL('../../../bin/plumbline.mjs', import.meta.url))

/** One process of the service, which is restarted whenever it ends, as by a supervisor. */
export interface SupervisedService {
  readonly url: string
  pid(): number | undefined
  /** Resolves as soon as the process listens. */
  ready(): Promise<void>
  /** Sends SIGKILL. */
  kill(): void
  /** Sends SIGTERM and does not restart. Resolves to the reasons why it did not end cleanly. */
  stop(): Promise<readonly string[]>
  /** Ends that this supervisor did not cause, with the last output. */
  readonly crashes: readonly string[]
}

const PAUSE_MS = 200
const SHOWN_CHARACTERS = 2_000
/** Longer than any request may take. */
const STOP_TIMEOUT_MS = 60_000

/** Numbers of times that the database became unavailable, and available again. */
export interface Outages {
  readonly begun: number
  readonly ended: number
}

/** @throws {Error} if the process ended before it printed `text`. */
export async function untilPrinted(running: RunningProcess, text: string): Promise<void> {
  const printed = running.until((output) => output.includes(text)).then(() => true)
  if (!(await Promise.race([printed, running.ended.then(() => false)])))
    throw new Error(`a process ended before it printed "${text}": ${running.output()}`)
}

/** @param outages a service that cannot open its database says so and ends: during an outage that is not a crash. */
export function superviseService(
  url: string,
  serve: () => RunningProcess,
  outages: Outages,
): SupervisedService {
  const crashes: string[] = []
  let running: RunningProcess
  let state: 'starting' | 'up' | 'killed' | 'ended'
  let isStopping = false

  const start = () => {
    const endedBefore = outages.ended
    const child = serve()
    running = child
    state = 'starting'
    void untilPrinted(child, 'service at ').then(
      () => {
        if (running === child && state === 'starting') state = 'up'
      },
      () => {},
    )
    void child.ended.then(async (code) => {
      if (isStopping) return
      const mayFail = state === 'starting' && outages.begun > endedBefore
      if (state !== 'killed' && !mayFail)
        crashes.push(`${url} ended with ${code ?? 'a signal'}: ${child.output().slice(-SHOWN_CHARACTERS)}`)
      state = 'ended'
      await realTime.pass(PAUSE_MS)
      if (!isStopping) start()
    })
  }
  start()

  return {
    url,
    crashes,
    pid: () => running.pid,
    async ready() {
      while (state !== 'up') await realTime.pass(PAUSE_MS)
    },
    kill() {
      state = 'killed'
      running.signal('SIGKILL')
    },
    async stop() {
      isStopping = true
      const last = running
      last.signal('SIGTERM')
      const late = realTime.pass(STOP_TIMEOUT_MS).then(() => `no end within ${STOP_TIMEOUT_MS} ms`)
      const code = await Promise.race([last.ended, late])
      if (code === 0) return []
      last.signal('SIGKILL')
      await last.ended
      return [`${url}: ${code ?? 'a signal'} after SIGTERM: ${last.output().slice(-SHOWN_CHARACTERS)}`]
    },
  }
}
