import { expect, test } from 'vitest'
import type { Lane } from '../session.ts'
import { startInTurn } from './startInTurn.ts'

/** Starts that end when the test says so. */
function controlled() {
  const begun: number[] = []
  const ended: string[] = []
  const starts = new Map<number, { ready: (name: string) => void; fail: (error: Error) => void }>()
  const start = (index: number) => {
    begun.push(index)
    return new Promise<{ name: string; lanes: readonly Lane[]; end(): Promise<void> }>((resolve, reject) =>
      starts.set(index, {
        ready: (name) =>
          resolve({ name, lanes: [{ name } as never], end: async () => void ended.push(name) }),
        fail: reject,
      }),
    )
  }
  /** Resolves once everything that follows without waiting has followed. */
  const settled = async () => {
    for (let turn = 0; turn < 20; turn += 1) await null
  }
  return { begun, ended, starts, start, settled }
}

test('as many as allowed start concurrently, and the next one when one of them is ready or failed', async () => {
  const { begun, ended, starts, start, settled } = controlled()
  const started = startInTurn(4, start, 2)
  await settled()
  expect(begun).toEqual([0, 1])
  starts.get(1)?.fail(new Error('no port'))
  await settled()
  expect(begun).toEqual([0, 1, 3])
  starts.get(0)?.ready('first')
  const { first, later, end } = await started
  expect(first.name).toBe('first')
  await expect(later[0]).rejects.toThrow('no port')
  await settled()
  expect(begun).toEqual([0, 1, 3, 2])
  starts.get(2)?.ready('third')
  starts.get(3)?.ready('fourth')
  expect(await Promise.all(later.slice(1))).toEqual([{ name: 'third' }, { name: 'fourth' }])
  await end()
  expect(ended).toEqual(['first', 'third', 'fourth'])
})

test('a start that has not begun is given up once all are ended', async () => {
  const { begun, starts, start, settled } = controlled()
  const started = startInTurn(3, start, 1)
  await settled()
  starts.get(0)?.ready('first')
  const { later, end } = await started
  await settled()
  const ending = end()
  starts.get(1)?.ready('second')
  await ending
  await expect(later[1]).rejects.toMatchObject({ name: 'StartGivenUpError' })
  expect(begun).toEqual([0, 1])
})

test('where the first does not start, the others are ended', async () => {
  const { ended, starts, start, settled } = controlled()
  const started = startInTurn(2, start, 2)
  await settled()
  starts.get(1)?.ready('second')
  starts.get(0)?.fail(new Error('no port'))
  await expect(started).rejects.toThrow('no port')
  expect(ended).toEqual(['second'])
})
