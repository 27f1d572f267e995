import { expect, test } from 'vitest'
import type { Case } from '../../src/runner/cases/case.ts'
import { runCase } from '../../src/runner/cases/runCase.ts'
import { useWorld } from '../../src/simulation/testing/lentWorld.ts'
import { inProcessEnvironment } from '../../src/targets/environment/inProcess.ts'
import { partnerCases } from './report.ts'

const world = useWorld(1)

test('a key that a command did not revoke is no fault of the target; one that only reports refuse to drop is', async () => {
  const environment = inProcessEnvironment(world)
  const replaced = partnerCases.find(({ id }) => id === 'partner-report.replaced-key') as Case
  const endWith = async (change: Partial<typeof environment>) => {
    await environment.fresh()
    return runCase(replaced, {
      enter: async () => ({ ...environment, ...change }),
      replay: ({ id }) => id,
    })
  }
  const idle = await endWith({ revokeKey: async () => 'true key-retiring' })
  expect({ status: idle.status, blame: idle.failure?.blame }).toEqual({
    status: 'inconclusive',
    blame: 'harness',
  })
  expect(idle.failure?.message).toMatch(
    /^the command that revokes a key ended with 0, and the key still works, as .*: true key-retiring\nCorrect revokeKey in the capabilities file/,
  )
  expect(idle.judged.filter(({ failed }) => failed > 0)).toEqual([])
  const works = async (key: Parameters<typeof environment.revokeKey>[0]) => {
    await environment.revokeKey(key)
    return 'revoke key-retiring'
  }
  expect((await endWith({ revokeKey: works })).status).toBe('pass')
  // Its builds are refused, its reports are not.
  let isRevoked = false
  const client: typeof environment.client = (key, patience) => ({
    ...environment.client(key, patience),
    ...(isRevoked && key === 'retiring'
      ? { build: (request) => environment.clientWithSecret('unknown').build(request) }
      : {}),
  })
  const revokeKey = async () => {
    isRevoked = true
    return 'revoke key-retiring'
  }
  const half = await endWith({ client, revokeKey })
  expect(half.failure).toMatchObject({ blame: 'target', requirement: 'auth.build-of-active-key' })
})
