import { expect, it } from 'vitest'
import { openRoom } from './room.ts'

it('admits any number of tasks, or one that must be alone, in the order of their arrival', async () => {
  const room = openRoom()
  const inside: string[] = []
  const enter = (name: string, isAlone: boolean) => void room.enter(isAlone).then(() => inside.push(name))
  const now = async () => {
    await new Promise(setImmediate)
    return inside.join(' ')
  }
  enter('a', false)
  enter('b', false)
  enter('alone', true)
  enter('c', false)
  expect(await now()).toBe('a b')
  room.leave()
  expect(await now()).toBe('a b')
  room.leave()
  expect(await now()).toBe('a b alone')
  room.leave()
  expect(await now()).toBe('a b alone c')
})
