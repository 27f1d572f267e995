import { Worker } from 'node:worker_threads'

/** Runs in a thread of its own, because an endless loop blocks the main thread. */
const WATCH = `
const { parentPort, workerData } = require('node:worker_threads')
const { writeFileSync } = require('node:fs')
let timer
parentPort.on('message', (watched) => {
  clearTimeout(timer)
  if (watched === null) return
  timer = setTimeout(() => {
    writeFileSync(workerData.file, watched.name)
    process.kill(process.pid, 'SIGKILL')
  }, watched.limitMs)
})
`

/** Ends this process when something exceeds its limit and blocks timers. */
export interface Watchdog {
  /** Starts watching. Before it ends the process, it writes `name` to its file. */
  watch(name: string, limitMs: number): void
  rest(): void
  stop(): Promise<void>
}

export function startWatchdog(file: string): Watchdog {
  const worker = new Worker(WATCH, { eval: true, execArgv: [], workerData: { file } })
  worker.unref()
  return {
    watch: (name, limitMs) => worker.postMessage({ name, limitMs }),
    rest: () => worker.postMessage(null),
    stop: async () => {
      await worker.terminate()
    },
  }
}
