import { expect, it } from 'vitest'
import { lastingWorker } from './lastingWorker.ts'
import { type Worker, WorkerError } from './workers.ts'

/** Opens processes of two tasks each: `finish` ends their tasks, `kill` ends a process as the operating system would. */
function processes() {
  const running: { readonly task: number; readonly done: () => void; readonly kill: () => void }[] = []
  let opened = 0
  const open = (): Worker<number, string> => {
    opened += 1
    return {
      atOnce: 2,
      run: (task) =>
        new Promise((resolve, reject) => {
          const leave = () =>
            running.splice(
              running.findIndex((each) => each.task === task),
              1,
            )
          running.push({
            task,
            done: () => {
              leave()
              resolve(`result of ${task}`)
            },
            kill: () => {
              leave()
              reject(new WorkerError('it ended with SIGKILL', 'SIGKILL'))
            },
          })
        }),
      stop: async () => {},
    }
  }
  return {
    open,
    opened: () => opened,
    /** Returns the running tasks, once everything that can begin has begun. */
    now: async () => {
      await new Promise(setImmediate)
      return running.map(({ task }) => task)
    },
    kill: () => {
      for (const each of [...running]) each.kill()
    },
    finish: () => {
      for (const each of [...running]) each.done()
    },
  }
}

it('reruns the tasks of a killed process one by one, and blames the one that is killed again', async () => {
  const { open, opened, now, kill, finish } = processes()
  const ended: string[] = []
  const worker = lastingWorker(
    open,
    (seed) => `seed ${seed}`,
    (problem) => ended.push(problem),
  )
  const [innocent, guilty] = [worker.run(11), worker.run(12)]
  const refused = expect(guilty).rejects.toThrow(/: seed 12 was tried 5 times, .* SIGKILL each time/)
  expect(await now()).toEqual([11, 12])
  kill()
  expect(await now()).toEqual([11])
  const later = worker.run(13)
  expect(await now()).toEqual([11])
  finish()
  expect(await innocent).toBe('result of 11')
  for (let tries = 2; tries <= 5; tries += 1) {
    // The later task runs between two tries, never during one.
    if ((await now())[0] === 13) finish()
    expect(await now()).toEqual([12])
    kill()
  }
  await refused
  expect(await later).toBe('result of 13')
  expect(ended).toHaveLength(4)
  expect(opened()).toBe(6)
})

it('runs tasks concurrently again after a suspect has ended', async () => {
  const { open, now, kill, finish } = processes()
  const worker = lastingWorker(open, String, () => {})
  const first = worker.run(1)
  expect(await now()).toEqual([1])
  kill()
  expect(await now()).toEqual([1])
  finish()
  await first
  const others = [worker.run(2), worker.run(3)]
  expect(await now()).toEqual([2, 3])
  finish()
  expect(await Promise.all(others)).toEqual(['result of 2', 'result of 3'])
})
