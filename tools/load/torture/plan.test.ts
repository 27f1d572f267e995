import { describe, expect, it } from 'vitest'
import { isKill, planAttacks } from './plan.ts'

describe('the attacks of a run', () => {
  it('are decided by the seed', () => {
    expect(planAttacks(7, 50, 'postgres')).toEqual(planAttacks(7, 50, 'postgres'))
    expect(planAttacks(7, 50, 'postgres')).not.toEqual(planAttacks(8, 50, 'postgres'))
  })

  it.each([
    ['file', ['service', 'services', 'writer']],
    ['postgres', ['backend', 'postmaster', 'restart', 'service', 'services', 'terminate']],
  ] as const)('reach everything that the store %s is made of, with as many kills as wanted', (store, all) => {
    const attacks = planAttacks(1, 200, store).map(({ attack }) => attack)
    expect(attacks.filter(isKill)).toHaveLength(200)
    expect([...new Set(attacks)].sort()).toEqual(all)
  })
})
