import { Worker } from 'node:worker_threads'

/** Runs beside the main thread, which an endless loop never gives back. */
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

/** Ends this process when something takes longer than its limit without even letting a timer fire. */
export interface Watchdog {
  /** Watches from now on. Before the process is ended, `name` is written to the watchdog's file. */
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
