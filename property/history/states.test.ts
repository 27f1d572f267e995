import { describe, expect, it } from 'vitest'
import { floorsOf, missedFloors } from '../../src/runner/verdict/floors.ts'
import type { StepLog } from '../../src/simulation/run/runLog.ts'
import type { ObservedHistory } from './observe.ts'
import { floorsForRuns, statesOf } from './states.ts'

const FLOORS = floorsForRuns(200)
const BODIES: Readonly<Record<string, string>> = {
  '200 for the first time': '{"recorded":true,"alreadyRecorded":false}',
  '200 again': '{"recorded":true,"alreadyRecorded":true}',
}

function bodyOf(state: string): string {
  const reason = state.slice(4)
  return BODIES[state] ?? JSON.stringify(state.startsWith('202') ? { reason } : { error: reason })
}

/** Returns a history that meets every expected state except one. */
function historyWithout(missing: string): ObservedHistory {
  const states = (kind: string) =>
    Object.keys(FLOORS).flatMap((label) =>
      label !== missing && label.startsWith(`${kind}: `) ? [label.slice(kind.length + 2)] : [],
    )
  const logged = {
    path: '0',
    answers: [],
    sent: [],
    nowMs: 0,
    head: { number: '1', hash: '0x', timestampS: 1 },
  }
  const steps = states('step').map((op): StepLog => ({ ...logged, op: op as StepLog['op'] }))
  const reports = states('reported').map((state): StepLog => {
    const op = missing === 'step: confirm' ? 'race' : 'confirm'
    if (state.startsWith('none')) return { ...logged, op, crashed: true }
    const status = Number(state.slice(0, 3))
    return { ...logged, op, answers: [{ status, headers: {}, body: bodyOf(state) }] }
  })
  const struck = Object.fromEntries(states('struck').map((fault) => [fault, 1]))
  const run = { log: [...steps, ...reports], reports: [], struck }
  return { run } as unknown as ObservedHistory
}

function missedBy(history: ObservedHistory): readonly string[] {
  const labels = new Map([...statesOf(history)].map((label) => [label, 1]))
  return missedFloors(floorsOf(FLOORS, labels)).map(({ label }) => label)
}

describe('the states that enough random scripts must meet', () => {
  it('are all met by a history that meets them', () => {
    expect(missedBy(historyWithout('nothing'))).toEqual([])
  })

  it.each(Object.keys(FLOORS))('are named when they are not met: %s', (state) => {
    expect(missedBy(historyWithout(state))).toEqual([state])
  })

  it('are not demanded of fewer scripts', () => {
    expect(floorsForRuns(199)).toEqual({})
  })

  it('count a fault as often as it struck', () => {
    const history = historyWithout('nothing')
    const run = { ...history.run, struck: { 'line down': 3 } }
    expect([...statesOf({ ...history, run })].filter((label) => label === 'struck: line down').length).toBe(3)
  })
})
