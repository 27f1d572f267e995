import { expect, test } from 'vitest'
import type { Case } from '../../src/runner/cases/case.ts'
import { runCase } from '../../src/runner/cases/runCase.ts'
import { useWorld } from '../../src/simulation/testing/lentWorld.ts'
import { inProcessEnvironment } from '../../src/targets/environment/inProcess.ts'
import { confirmBudget } from './budget.ts'

const world = useWorld(1)

test('a budget that slow reports never exceed within its window is inconclusive, and says what to declare', async () => {
  const environment = await inProcessEnvironment(world).fresh()
  const slow: typeof environment.client = (...args) => {
    const client = environment.client(...args)
    const confirm: typeof client.confirm = async (...report) => {
      await environment.pass(600)
      return client.confirm(...report)
    }
    return { ...client, confirm }
  }
  const [budget] = confirmBudget as [Case]
  const { status, failure } = await runCase(budget, {
    enter: async () => ({ ...environment, client: slow, confirmBudget: { reports: 2, windowS: 2 } }),
    replay: ({ id }) => id,
  })
  expect({ status, blame: failure?.blame, expected: failure?.expected }).toEqual({
    status: 'inconclusive',
    blame: 'harness',
    expected: 'more than 4 reports within 2 s',
  })
  expect(failure?.message).toMatch(
    /^5 reports took longer than the declared window of 2 s\n.*"confirmBudget"/,
  )
})
