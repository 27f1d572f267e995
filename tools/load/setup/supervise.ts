import { fileURLToPath } from 'node:url'
import { liveTime } from '../../../src/targets/liveTime.ts'
import { type RunningProcess, startProcess } from '../../runningProcess.ts'

export const PLUMBLINE = fileURLToPath(new URL('../../../bin/plumbline.mjs', import.meta.url))

/** One process of the service, which is started again whenever it ends, as a supervisor does. */
export interface SupervisedService {
  readonly url: string
  pid(): number | undefined
  /** Resolves as soon as it listens. */
  ready(): Promise<void>
  /** SIGKILL. */
  kill(): void
  /** SIGTERM; it is not started again. Resolves to why its end was not a clean one, or null. */
  stop(): Promise<string | null>
  /** Ends without a signal of ours, with the last output. */
  readonly crashes: readonly string[]
}

const RESTART_PAUSE_MS = 200
const SHOWN_CHARACTERS = 2_000
/** Longer than any request may take. */
const STOP_TIMEOUT_MS = 60_000

/** How often the database was taken away, and came back. */
export interface Outages {
  readonly begun: number
  readonly ended: number
}

/** @throws {Error} the process ended before its output had `text`. */
export async function untilPrinted(running: RunningProcess, text: string): Promise<void> {
  const printed = running.until((output) => output.includes(text)).then(() => true)
  if (!(await Promise.race([printed, running.ended.then(() => false)])))
    throw new Error(`a process ended before it printed "${text}": ${running.output()}`)
}

/** @param outages a service that cannot open its database says so and ends: during an outage that is no crash. */
export function superviseService(
  port: number,
  environment: Readonly<Record<string, string>>,
  outages: Outages,
): SupervisedService {
  const url = `http://127.0.0.1:${port}`
  const crashes: string[] = []
  let running: RunningProcess
  let isStopping = false
  let killed: RunningProcess | null = null
  let hasEnded = false
  let listening: Promise<boolean>

  const start = () => {
    const endedBefore = outages.ended
    const child = startProcess(process.execPath, [PLUMBLINE, 'serve'], {
      env: { ...process.env, ...environment, PORT: String(port) },
    })
    running = child
    hasEnded = false
    let isUp = false
    listening = untilPrinted(child, 'service at ').then(
      () => {
        isUp = true
        return true
      },
      () => false,
    )
    void child.ended.then(async (code) => {
      hasEnded = true
      if (isStopping) return
      const mayFail = !isUp && outages.begun > endedBefore
      if (killed !== child && !mayFail)
        crashes.push(`${url} ended with ${code ?? 'a signal'}: ${child.output().slice(-SHOWN_CHARACTERS)}`)
      await liveTime.pass(RESTART_PAUSE_MS)
      if (!isStopping) start()
    })
  }
  start()

  return {
    url,
    crashes,
    pid: () => running.pid,
    async ready() {
      while (!(await listening) || hasEnded || running === killed) await liveTime.pass(RESTART_PAUSE_MS)
    },
    kill() {
      killed = running
      running.signal('SIGKILL')
    },
    async stop() {
      isStopping = true
      const last = running
      last.signal('SIGTERM')
      const late = liveTime.pass(STOP_TIMEOUT_MS).then(() => 'late' as const)
      const code = await Promise.race([last.ended, late])
      if (code === 0) return null
      last.signal('SIGKILL')
      await last.ended
      return code === 'late'
        ? `${url} did not end within ${STOP_TIMEOUT_MS} ms of SIGTERM`
        : `${url} ended with ${code ?? 'a signal'} after SIGTERM: ${last.output().slice(-SHOWN_CHARACTERS)}`
    },
  }
}
