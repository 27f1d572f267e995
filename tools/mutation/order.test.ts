import { describe, expect, it } from 'vitest'
import { inOrder, type Memory, memoryOf, rarelyReached, withKill } from './order.ts'

const CASES = ['slow', 'quick', 'killer', 'neighbour'].map((id) => ({ id }))
const COSTS: Memory = { costMs: { slow: 300, quick: 10, killer: 200, neighbour: 290 }, kills: {}, rare: {} }
const MUTANT = { file: 'fees.ts', line: 100, id: 50 }

function idsIn(memory: Memory): readonly string[] {
  return inOrder(CASES, memory, MUTANT).map(({ id }) => id)
}

describe('the order of cases', () => {
  it('starts with the cheapest when nothing is known of the file', () => {
    expect(idsIn(COSTS)).toEqual(['quick', 'killer', 'neighbour', 'slow'])
  })

  it('prefers kills nearby to kills elsewhere in the file, and both to none', () => {
    const far = withKill(COSTS, 'killer', { file: 'fees.ts', line: 10 })
    const memory = withKill(far, 'neighbour', { file: 'fees.ts', line: 95 })
    const costMs = { slow: 300, quick: 200, killer: 200, neighbour: 290 }
    expect(idsIn({ ...memory, costMs })).toEqual(['neighbour', 'killer', 'quick', 'slow'])
  })

  it('tries many cheap cases before an expensive one that killed nearby', () => {
    const memory = withKill(COSTS, 'slow', { file: 'fees.ts', line: 100 })
    const costMs = { slow: 3_000, quick: 10, killer: 20, neighbour: 25 }
    expect(idsIn({ ...memory, costMs })).toEqual(['quick', 'killer', 'neighbour', 'slow'])
  })

  it('counts kills in other files', () => {
    const kills = { 'other.ts': { slow: Array.from({ length: 40 }, (_, line) => line) } }
    expect(idsIn({ ...COSTS, kills })).toEqual(['slow', 'quick', 'killer', 'neighbour'])
  })

  it('prefers cases that reach a place few others reach', () => {
    const rare = { 48: ['slow'], 90: ['neighbour'] }
    expect(idsIn({ ...COSTS, rare })).toEqual(['slow', 'quick', 'killer', 'neighbour'])
  })

  it('remembers which cases reach a mutant only where they are few', () => {
    const many = Array.from({ length: 50 }, (_, index) => [`case ${index}`, { 1: 3 }] as const)
    expect(rarelyReached({ ...Object.fromEntries(many), slow: { 1: 1, 7: 2 } })).toEqual({ 7: ['slow'] })
  })

  it('learns from the kills of earlier runs', () => {
    const id = { file: 'fees.ts', within: 'fee', nth: 1, mutator: '', original: '', replacement: '' }
    const entry = { ...id, line: 7, ran: 3 }
    const { kills } = memoryOf([
      { ...entry, status: 'Killed', reason: 'quote.fees §4.1: the fee is 2' },
      { ...entry, status: 'Survived', reason: '' },
    ])
    expect(kills).toEqual({ 'fees.ts': { 'quote.fees': [7] } })
  })
})
