import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Attribution } from '../../records.ts'

/** A second operating-system process that has a store open. */
export interface StoreProcess {
  record(attribution: Attribution): Promise<unknown>
  /** Kills it as the kernel does when memory runs out: no handler runs, nothing is flushed. */
  kill(): Promise<void>
}

/** Starts a process of the bundled `worker.ts`; resolves when it has opened the store. */
export async function startStoreProcess(program: string, url: string): Promise<StoreProcess> {
  const child = fork(program, [url], { serialization: 'advanced' })
  const exited = once(child, 'exit')
  const died = exited.then(([code, signal]) => {
    throw new Error(`the store process ended: ${code ?? signal}`)
  })
  died.catch(() => {})
  const next = () => Promise.race([once(child, 'message').then(([message]) => message as unknown), died])
  const opened = await next()
  if (opened !== 'open') throw new Error(`the store process replied ${opened}`)
  return {
    record(attribution) {
      const answered = next()
      child.send(attribution)
      return answered
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
