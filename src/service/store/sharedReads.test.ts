import { expect, it } from 'vitest'
import { settleMicrotasks } from '../testing/deps.ts'
import { sharedReads } from './sharedReads.ts'

/** Returns reads that the test ends: each has as its value the number of reads started so far. */
function readsOf() {
  const share = sharedReads<number>()
  const ends: { resolve(): void; reject(): void }[] = []
  const read = () =>
    new Promise<number>((resolve, reject) => {
      const number = ends.length + 1
      ends.push({ resolve: () => resolve(number), reject: () => reject(new Error(`read ${number}`)) })
    })
  return { ends, want: (key: string) => share(key, read) }
}

it('shares one read in progress and one after it among all callers, and returns nothing read before a call', async () => {
  const { ends, want } = readsOf()
  const first = want('a')
  const later = Array.from({ length: 1_000 }, () => want('a'))
  await settleMicrotasks()
  expect(ends).toHaveLength(1)
  ends[0]?.resolve()
  await settleMicrotasks()
  const last = want('a')
  expect(ends).toHaveLength(2)
  ends[1]?.resolve()
  expect([await first, ...new Set(await Promise.all(later))]).toEqual([1, 2])
  ends[2]?.resolve()
  expect(await last).toBe(3)
})

it('starts a new read when none is in progress, and immediately for another key', async () => {
  const { ends, want } = readsOf()
  const [one, other] = [want('a'), want('b')]
  expect(ends).toHaveLength(2)
  for (const { resolve } of ends) resolve()
  expect(await Promise.all([one, other])).toEqual([1, 2])
  await settleMicrotasks()
  const again = want('a')
  ends[2]?.resolve()
  expect(await again).toBe(3)
})

it('fails only for the callers that share a failed read', async () => {
  const { ends, want } = readsOf()
  const [failing, next] = [want('a'), want('a')]
  ends[0]?.reject()
  await expect(failing).rejects.toThrow('read 1')
  await settleMicrotasks()
  ends[1]?.resolve()
  expect(await next).toBe(2)
})
