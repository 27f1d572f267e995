import { expect, test } from 'vitest'
import { StartGivenUpError, startInTurn } from './startInTurn.ts'

/** Starts that end when the test says so. */
function controlled() {
  const begun: number[] = []
  const ends = new Map<number, { resolve: (ready: string) => void; reject: (error: Error) => void }>()
  const start = (index: number) => {
    begun.push(index)
    return new Promise<string>((resolve, reject) => ends.set(index, { resolve, reject }))
  }
  /** Whatever follows without waiting has followed. */
  const settled = async () => {
    for (let turn = 0; turn < 20; turn += 1) await null
  }
  return { begun, ends, start, settled }
}

test('as many start at once as may, and the next one when one of them is ready or failed', async () => {
  const { begun, ends, start, settled } = controlled()
  const { starting } = startInTurn(4, 2, start)
  await settled()
  expect(begun).toEqual([0, 1])
  ends.get(1)?.reject(new Error('no port'))
  await expect(starting[1]).rejects.toThrow('no port')
  await settled()
  expect(begun).toEqual([0, 1, 3])
  ends.get(0)?.resolve('first')
  await settled()
  expect(begun).toEqual([0, 1, 3, 2])
  ends.get(2)?.resolve('third')
  ends.get(3)?.resolve('fourth')
  expect(await Promise.allSettled(starting)).toMatchObject([
    { value: 'first' },
    { status: 'rejected' },
    { value: 'third' },
    { value: 'fourth' },
  ])
})

test('what has not begun is not started once it is given up', async () => {
  const { begun, ends, start, settled } = controlled()
  const { starting, giveUp } = startInTurn(2, 1, start)
  await settled()
  giveUp()
  ends.get(0)?.resolve('first')
  await expect(starting[1]).rejects.toBeInstanceOf(StartGivenUpError)
  expect(await starting[0]).toBe('first')
  expect(begun).toEqual([0])
})
