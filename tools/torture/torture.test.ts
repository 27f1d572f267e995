import { describe, expect, it } from 'vitest'
import { isKill, planAttacks } from './plan.ts'
import { runTorture } from './torture.ts'

describe('the attacks of a run', () => {
  it('are decided by the seed', () => {
    expect(planAttacks(7, 50, 'postgres')).toEqual(planAttacks(7, 50, 'postgres'))
    expect(planAttacks(7, 50, 'postgres')).not.toEqual(planAttacks(8, 50, 'postgres'))
  })

  it.each([
    ['file', ['harness', 'service', 'services', 'writer']],
    ['postgres', ['backend', 'harness', 'postmaster', 'restart', 'service', 'services', 'terminate']],
  ] as const)('reach everything that the store %s is made of, with as many kills as wanted', (store, all) => {
    const attacks = planAttacks(1, 200, store).map(({ attack }) => attack)
    expect(attacks.filter(isKill)).toHaveLength(200)
    expect([...new Set(attacks)].sort()).toEqual(all)
  })
})

it('kills the service under load, and finds nothing lost, doubled or left behind', async () => {
  const short = { store: 'file', seed: 75, kills: 2 } as const
  const attacks = planAttacks(short.seed, short.kills, short.store).map(({ attack }) => attack)
  expect(attacks).toEqual(['writer', 'service'])
  const result = await runTorture({ ...short, clients: 4, progress: () => {} })
  expect(result.findings).toEqual([])
  expect(result.kills).toBe(2)
  expect(result.recorded).toBeGreaterThan(0)
})
