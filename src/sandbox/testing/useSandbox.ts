import { afterAll, beforeAll } from 'vitest'
import { type Sandbox, startSandbox } from '../sandbox.ts'

const idle: Sandbox[] = []

/**
 * Lends a sandbox in its initial state to the tests of a file, from their first `beforeAll` on: one that another file of this
 * process returned, or a new one, since booting one takes longer than most of their tests. It ends with this process. For files
 * that do not test starting one, and neither stop it nor end its node.
 */
export function useSandbox(): Sandbox {
  const lent = {} as Sandbox
  let own: Sandbox
  beforeAll(async () => {
    own = idle.pop() ?? (await startSandbox())
    Object.setPrototypeOf(lent, own)
  })
  afterAll(async () => {
    await own.reset()
    idle.push(own)
  })
  return lent
}
