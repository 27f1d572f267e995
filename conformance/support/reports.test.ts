import { expect, test } from 'vitest'
import { runCase } from '../../src/runner/cases/runCase.ts'
import { useWorld } from '../../src/simulation/testing/lentWorld.ts'
import { inProcessEnvironment } from '../../src/targets/environment/inProcess.ts'
import { depthCases } from '../confirm/depth.ts'
import { changeBody } from '../defects/helpers/wire.ts'

const world = useWorld(1)

test('a swap that reverts is the doing of the service that built it', async () => {
  // Calls that no contract of the sandbox has.
  const seams = changeBody('build', ({ tx }) => {
    tx.data = '0xdeadbeef'
  })
  const environment = inProcessEnvironment(world, { seams })
  const [depth] = depthCases
  if (depth === undefined) throw new Error('there is such a case')
  const { status, failure } = await runCase(depth, {
    enter: () => environment.fresh(),
    replay: ({ id }) => id,
  })
  expect([status, failure?.blame]).toEqual(['inconclusive', 'target'])
  expect(failure?.message).toContain('the swap of its build reverts')
})
