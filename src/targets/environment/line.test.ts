import { expect, test } from 'vitest'
import { type Line, shareLine } from './line.ts'

function recordedLine() {
  const calls: string[] = []
  const line: Line = {
    inject: async (kind) => void calls.push(kind),
    restore: async () => void calls.push('restored'),
    interrupt: null,
  }
  return { calls, line }
}
/** Resolves once everything that can go on has gone on. */
const settled = async () => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
}

test('the fault is injected once all cases are ready for it, and ended once none needs it', async () => {
  const { calls, line } = recordedLine()
  const [one, other] = shareLine(line, 2)
  const injected = one?.inject('hanging')
  await settled()
  expect(calls).toEqual([])
  await Promise.all([injected, other?.inject('hanging')])
  expect(calls).toEqual(['hanging'])
  const restored = other?.restore()
  await settled()
  expect(calls).toEqual(['hanging'])
  await Promise.all([restored, one?.restore()])
  expect(calls).toEqual(['hanging', 'restored'])
})

test('a case that is over is not waited for, whether it injected the fault or not', async () => {
  const { calls, line } = recordedLine()
  const [one, broken, idle] = shareLine(line, 3)
  const injected = [one?.inject('hanging'), broken?.inject('hanging')]
  idle?.leave()
  await Promise.all(injected)
  const restored = one?.restore()
  broken?.leave()
  await restored
  one?.leave()
  expect(calls).toEqual(['hanging', 'restored'])
})

test('a fault that cannot be injected fails all the cases that wanted it', async () => {
  const { line } = recordedLine()
  const refused = { ...line, inject: () => Promise.reject(new Error('no line')) }
  const injected = shareLine(refused, 2).map((each) => each.inject('hanging'))
  for (const each of injected) await expect(each).rejects.toThrow('no line')
})
