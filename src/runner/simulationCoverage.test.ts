import { describe, expect, it } from 'vitest'
import type { StepLog } from '../simulation/runLog.ts'
import { COVERED_FROM_RUNS, countStates, EXPECTED_STATES, unmetStates } from './simulationCoverage.ts'

const BODIES: Readonly<Record<string, string>> = {
  '200 for the first time': '{"recorded":true,"alreadyRecorded":false}',
  '200 again': '{"recorded":true,"alreadyRecorded":true}',
}

function bodyOf(state: string): string {
  const reason = state.slice(4)
  return BODIES[state] ?? JSON.stringify(state.startsWith('202') ? { reason } : { error: reason })
}

/** A run that meets everything that is expected, but for one state. */
function runWithout(missing: string) {
  const wanted = (kind: string) => (state: string) => `${kind} ${state}` !== missing
  const head = { number: '1', hash: '0x', timestampS: 1 }
  const logged = { path: '0', answers: [], sent: [], nowMs: 0, head }
  const steps = EXPECTED_STATES.step
    .filter(wanted('step'))
    .map((op): StepLog => ({ ...logged, op: op as StepLog['op'] }))
  const reports = EXPECTED_STATES.confirm.filter(wanted('confirm')).map((state): StepLog => {
    const op = missing === 'step confirm' ? 'race' : 'confirm'
    if (state.startsWith('none')) return { ...logged, op, crashed: true }
    return {
      ...logged,
      op,
      answers: [{ status: Number(state.slice(0, 3)), headers: {}, body: bodyOf(state) }],
    }
  })
  const struck = Object.fromEntries(EXPECTED_STATES.fault.filter(wanted('fault')).map((fault) => [fault, 1]))
  return { log: [...steps, ...reports], struck }
}

const ALL = Object.entries(EXPECTED_STATES).flatMap(([kind, states]) =>
  states.map((state) => `${kind} ${state}`),
)

describe('the states that random runs must come to', () => {
  it('are all met by runs that meet them', () => {
    expect(unmetStates(Array.from({ length: COVERED_FROM_RUNS }, () => runWithout('nothing')))).toEqual([])
  })

  it.each(ALL)('are named when they are not met: %s', (state) => {
    expect(unmetStates(Array.from({ length: COVERED_FROM_RUNS }, () => runWithout(state)))).toEqual([state])
  })

  it('are not demanded of fewer runs', () => {
    expect(unmetStates(Array.from({ length: COVERED_FROM_RUNS - 1 }, () => runWithout('step mine')))).toEqual(
      [],
    )
  })

  it('are counted together with whatever else was met', () => {
    const run = { ...runWithout('nothing'), struck: { 'line down': 3, 'line melted': 2 } }
    const { fault } = countStates([run, run])
    expect([fault.get('line down'), fault.get('line melted'), fault.get('line lag')]).toEqual([6, 4, 0])
  })
})
