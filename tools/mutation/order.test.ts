import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  inOrder,
  type Memory,
  memoryOf,
  NOTHING_REMEMBERED,
  rarelyRun,
  remembering,
  withinShare,
} from './order.ts'

const CHECKS = ['slow', 'quick', 'killer', 'neighbour'].map((id) => ({ id }))
const COSTS: Memory = { costMs: { slow: 300, quick: 10, killer: 200, neighbour: 290 }, kills: {}, rare: {} }
const PLACE = { file: 'fees.ts', line: 100, id: 50 }
const idsOf = (checks: readonly { readonly id: string }[]) => checks.map(({ id }) => id)

describe('the order of checks', () => {
  it('begins with the cheap when nothing is known of the file', () => {
    expect(idsOf(inOrder(CHECKS, COSTS, PLACE))).toEqual(['quick', 'killer', 'neighbour', 'slow'])
  })

  it('puts what killed near by before what killed elsewhere in the file, and both before the others', () => {
    const far = remembering(COSTS, 'killer', { file: 'fees.ts', line: 10 })
    const memory = remembering(far, 'neighbour', { file: 'fees.ts', line: 95 })
    const dear = { ...memory, costMs: { slow: 300, quick: 200, killer: 200, neighbour: 290 } }
    expect(idsOf(inOrder(CHECKS, dear, PLACE))).toEqual(['neighbour', 'killer', 'quick', 'slow'])
  })

  it('tries many cheap checks before one that is dear, though it killed near by', () => {
    const memory = remembering(COSTS, 'slow', { file: 'fees.ts', line: 100 })
    const dear = { ...memory, costMs: { slow: 3_000, quick: 10, killer: 20, neighbour: 25 } }
    expect(idsOf(inOrder(CHECKS, dear, PLACE))).toEqual(['quick', 'killer', 'neighbour', 'slow'])
  })

  it('counts kills in other files for what they cost', () => {
    const kills = Array.from({ length: 40 }, (_, line) => line)
    const memory: Memory = { ...COSTS, kills: { 'other.ts': { slow: kills } } }
    expect(idsOf(inOrder(CHECKS, memory, PLACE))).toEqual(['slow', 'quick', 'killer', 'neighbour'])
  })

  it('puts what reaches a place where few others come before what reaches everything', () => {
    const memory: Memory = { ...COSTS, rare: { 48: ['slow'], 90: ['neighbour'] } }
    expect(idsOf(inOrder(CHECKS, memory, PLACE))).toEqual(['slow', 'quick', 'killer', 'neighbour'])
  })

  it('knows what few checks run, and nothing of what all run', () => {
    const many = Array.from({ length: 50 }, (_, index) => [`check ${index}`, { 1: 3 }] as const)
    expect(rarelyRun({ ...Object.fromEntries(many), slow: { 1: 1, 7: 2 } })).toEqual({ 7: ['slow'] })
  })

  it('remembers what earlier runs killed with', () => {
    const location = { start: { line: 7, column: 1 }, end: { line: 7, column: 9 } }
    const entry = { file: 'fees.ts', location, mutator: '', original: '', replacement: '' }
    const told = { isStatic: false, covering: 9, put: 3 }
    const { kills } = memoryOf([
      { ...entry, ...told, status: 'Killed', reason: 'quote.fees §4.1: the fee is 2' },
      { ...entry, ...told, status: 'Survived', reason: '' },
    ])
    expect(kills).toEqual({ [resolve('fees.ts')]: { 'quote.fees': [7] } })
  })

  it('loses no check', () => {
    expect(inOrder(CHECKS, NOTHING_REMEMBERED, PLACE)).toHaveLength(CHECKS.length)
  })
})

describe('a share of the checks', () => {
  it('of one is all of them', () => {
    expect(withinShare(CHECKS, COSTS, 1)).toEqual(CHECKS)
  })

  it('ends once it is spent, and never before the first', () => {
    expect(idsOf(withinShare(CHECKS, COSTS, 0.38))).toEqual(['slow', 'quick'])
    expect(idsOf(withinShare(CHECKS, COSTS, 0))).toEqual(['slow'])
  })
})
