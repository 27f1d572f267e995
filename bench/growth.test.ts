import { expect, test } from 'vitest'
import { SIZED } from './growth.ts'

test.each(Object.entries(SIZED))('everything that is measured by %s can be done', async (_kind, { at }) => {
  const done: string[] = []
  await at(5, async (name, work, prepare = () => {}) => {
    await prepare()
    await work()
    done.push(name)
  })
  expect(done.length).toBeGreaterThan(0)
  expect(new Set(done).size).toBe(done.length)
})
