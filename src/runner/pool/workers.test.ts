import { expect, it } from 'vitest'
import { runInOrder } from './workers.ts'

it('reports results in the order of the tasks, whichever worker is done first', async () => {
  const waiting = new Map<number, () => void>()
  const seen: string[] = []
  const worker = (name: string) => ({
    run: (task: number) => new Promise<string>((done) => waiting.set(task, () => done(name))),
  })
  const all = runInOrder([worker('left'), worker('right')], [0, 1, 2, 3], (_result, index) =>
    seen.push(`${index}`),
  )
  for (const task of [1, 2, 0, 3]) {
    waiting.get(task)?.()
    await new Promise(setImmediate)
    seen.push(`after ${task}`)
  }
  expect(await all).toHaveLength(4)
  expect(seen).toEqual(['after 1', 'after 2', '0', '1', '2', 'after 0', '3', 'after 3'])
})

it('gives each worker its first task before any gets a second one to run concurrently', async () => {
  const begun: string[] = []
  const worker = (name: string, atOnce: number) => ({
    atOnce,
    run: async (task: number) => {
      begun.push(`${name} ${task}`)
      await new Promise(setImmediate)
    },
  })
  await runInOrder([worker('left', 3), worker('right', 1)], [0, 1, 2, 3])
  expect(begun).toEqual(['left 0', 'right 1', 'left 2', 'left 3'])
})

it('begins no task after one that failed', async () => {
  const begun: number[] = []
  let fail = () => {}
  const run = (task: number) => {
    begun.push(task)
    if (task > 0) return new Promise(setImmediate)
    return new Promise((_resolve, reject) => {
      fail = () => reject(new Error('broken'))
    })
  }
  const all = runInOrder([{ atOnce: 2, run }], [0, 1, 2, 3, 4, 5, 6, 7])
  fail()
  await expect(all).rejects.toThrow('broken')
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  expect(begun).toEqual([0, 1])
})
