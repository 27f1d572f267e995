import { describe, expect, it } from 'vitest'
import { SimulationLeakError } from '../../simulation/tripwire/tripwire.ts'
import { OverlappingLeakError, type ScriptResult, type ScriptTask } from '../families/runScript.ts'
import { runInOrder } from '../pool/workers.ts'
import { inLanes } from './lanes.ts'
import type { Simulator, SimulatorResult } from './run.ts'

const task = (seed: number): ScriptTask => ({ kind: 'run', script: { seed, steps: [], requirement: null } })
const turn = () => new Promise(setImmediate)

/** Simulators whose scripts take some turns of the event loop. A script of `leaking` leaks in its second turn. */
function simulators(leaking: ReadonlySet<number> = new Set()) {
  const seen = { opened: 0, stopped: 0, most: 0, runs: [] as string[] }
  const armed = new Set<{ isShared: boolean }>()
  const busy = new Set<number>()
  const open = async (): Promise<Simulator> => {
    const number = seen.opened++
    return {
      run: async (task) => {
        const { seed } = task.kind === 'record' ? task.run : task.script
        expect(busy.has(number), 'a simulator runs one script at a time').toBe(false)
        busy.add(number)
        const own = { isShared: false }
        armed.add(own)
        seen.most = Math.max(seen.most, armed.size)
        seen.runs.push(`${seed}${armed.size === 1 ? ' alone' : ''}`)
        await turn()
        if (leaking.has(seed) && armed.size > 1) for (const each of armed) each.isShared = true
        await turn()
        armed.delete(own)
        busy.delete(number)
        if (own.isShared) throw new OverlappingLeakError(new SimulationLeakError('fetch', 'service/x.ts:1'))
        return { steps: [], broken: {}, tries: seed, exhausted: leaking.has(seed) } as unknown as ScriptResult
      },
      stop: async () => {
        seen.stopped += 1
      },
    }
  }
  return { open, seen }
}

const outcomes = (results: readonly SimulatorResult[]) =>
  (results as unknown as readonly { tries: number; exhausted: boolean }[]).map(
    ({ tries, exhausted }) => `${tries}${exhausted ? ' leaks' : ''}`,
  )

describe('scripts in one process', () => {
  it('run so many at once, each in a world of its own, and stop all of them', async () => {
    const { open, seen } = simulators()
    const simulator = inLanes(open, 2)
    const results = await runInOrder([simulator], [1, 2, 3, 4, 5].map(task))
    expect(outcomes(results)).toEqual(['1', '2', '3', '4', '5'])
    expect(seen).toMatchObject({ opened: 2, most: 2 })
    await simulator.stop()
    expect(seen.stopped).toBe(2)
  })

  it('open no second world for a single script', async () => {
    const { open, seen } = simulators()
    const simulator = inLanes(open, 2)
    await runInOrder([simulator], [task(1)])
    expect(seen.opened).toBe(1)
    await simulator.stop()
  })

  it('are run again alone where one leaks, so that no neighbour gets its leak', async () => {
    const { open, seen } = simulators(new Set([3]))
    const results = await runInOrder([inLanes(open, 2)], [1, 2, 3, 4, 5, 6].map(task))
    expect(outcomes(results)).toEqual(['1', '2', '3 leaks', '4', '5', '6'])
    expect(seen.runs).toContain('3 alone')
    const twice = [1, 2, 3, 4, 5, 6].filter(
      (seed) => seen.runs.filter((run) => run.startsWith(`${seed}`)).length > 1,
    )
    expect(twice).toHaveLength(2)
    for (const seed of twice) expect(seen.runs).toContain(`${seed} alone`)
  })

  it('fail with what keeps a world from being opened', async () => {
    const simulator = inLanes(() => Promise.reject(new Error('no chain')), 2)
    await expect(simulator.run(task(1))).rejects.toThrow('no chain')
    await simulator.stop()
  })
})
