import { expect, test } from 'vitest'
import { runCase } from '../../src/runner/cases/runCase.ts'
import type { ServiceSeams } from '../../src/service/testing.ts'
import { createWorld } from '../../src/simulation/world/world.ts'
import { inProcessEnvironment } from '../../src/targets/environment/inProcess.ts'
import { conformanceCases } from '../index.ts'

/** Builds calls that no contract of the sandbox has, so that they revert. */
const REVERTING: ServiceSeams = {
  wire: (service) => ({
    ...service,
    inject: async (request) => {
      const answer = await service.inject(request)
      if (request.url !== '/api/v1/swap/build' || answer.statusCode !== 200) return answer
      const body = JSON.parse(answer.body)
      return { ...answer, body: JSON.stringify({ ...body, tx: { ...body.tx, data: '0xdeadbeef' } }) }
    },
  }),
}

test('a swap that reverts is the doing of the service that built it', async () => {
  const world = await createWorld({ seed: 1, seams: REVERTING })
  try {
    const environment = inProcessEnvironment(world, { seams: REVERTING })
    const testCase = conformanceCases().find(({ id }) => id === 'confirm.depth')
    if (testCase === undefined) throw new Error('there is such a case')
    const enter = async () => {
      await environment.fresh()
      return environment
    }
    const { status, failure } = await runCase(testCase, { enter, replay: ({ id }) => id })
    expect(status).toBe('inconclusive')
    expect(failure?.message, failure?.blame).toContain('the swap of its build reverts')
    expect(failure?.blame).toBe('target')
    expect(failure?.message).toContain('the swap of its build reverts')
  } finally {
    await world.stop()
  }
})
