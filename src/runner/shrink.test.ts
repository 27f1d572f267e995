import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServiceSeams, StoreUnavailableError } from '../service/testing.ts'
import type { StepInput } from '../simulation/steps.ts'
import { createWorld, type World } from '../simulation/world.ts'
import { type RandomRunProblem, runRandomScript, runScript, type ScriptRun } from './randomRun.ts'
import { shrinkScript } from './shrink.ts'

const MINE: StepInput = { op: 'mine', blocks: 7 }
const WAIT: StepInput = { op: 'wait', seconds: 3.25 }
const BUILD: StepInput = {
  op: 'build',
  as: 'swap',
  key: 'two',
  sender: 'bob',
  body: { from: 'ETH', to: 'USDG', amount: 0.125, slippageBps: 5000 },
}
const SEND: StepInput = { op: 'send', build: 'swap', as: 'tx' }
const REPLACE: StepInput = { op: 'replace', tx: 'tx', as: 'tx-2', change: 'value' }
const RACE: StepInput = {
  op: 'race',
  reports: [
    { key: 'two', build: 'swap', tx: 'tx-2' },
    { key: 'one', build: 'swap', tx: 'tx-2' },
    { key: 'two', build: 'swap', tx: 'tx' },
  ],
}

function problemOf(about: Partial<RandomRunProblem> = {}): RandomRunProblem {
  const kind = 'confirm.depth.twelve'
  return { status: 'fail', kind, requirement: kind, path: null, step: null, message: 'broken', ...about }
}

/** A service that is judged by the text of its script alone, and how often it was. */
function judgedBy(judge: (steps: readonly StepInput[]) => RandomRunProblem | null) {
  const seen: (readonly StepInput[])[] = []
  const run = async (steps: readonly StepInput[]): Promise<ScriptRun> => {
    seen.push(steps)
    return { log: [], struck: {}, unmetFaults: 0, verdicts: [], problem: judge(steps) }
  }
  return { seen, run }
}

const blocksOf = (steps: readonly StepInput[]) =>
  steps.reduce((sum, step) => sum + (step.op === 'mine' ? step.blocks : 0), 0)

describe('shrinking a script', () => {
  it('leaves what the failure needs, joined and in its smallest numbers', async () => {
    const { run } = judgedBy((steps) => (blocksOf(steps) >= 12 ? problemOf() : null))
    const steps = [WAIT, MINE, WAIT, BUILD, MINE, SEND, MINE, RACE, WAIT]
    const shrunk = await shrinkScript(run, { steps, problem: problemOf() })
    expect(shrunk.steps).toEqual([{ op: 'mine', blocks: 12 }])
    expect(shrunk.exhausted).toBe(true)
  })

  it('never leaves a step that names what is gone', async () => {
    const { run, seen } = judgedBy((steps) => (steps.some(({ op }) => op === 'race') ? problemOf() : null))
    const steps = [BUILD, SEND, MINE, REPLACE, WAIT, RACE]
    await shrinkScript(run, { steps, problem: problemOf() })
    expect(seen.length).toBeGreaterThan(10)
    for (const script of seen) {
      const text = JSON.stringify(script)
      if (/"(op":"send|build":"swap)/.test(text)) expect(text).toContain('"as":"swap"')
      if (text.includes('"tx":"tx"')) expect(text).toContain('"op":"send"')
      if (text.includes('"tx":"tx-2"')) expect(text).toContain('"op":"replace"')
    }
  })

  it('makes a report of a race, and undoes a replacement that does not matter', async () => {
    const reports = (steps: readonly StepInput[]) => steps.some(({ op }) => op === 'race' || op === 'confirm')
    const { run } = judgedBy((steps) => (reports(steps) ? problemOf() : null))
    const shrunk = await shrinkScript(run, { steps: [BUILD, SEND, REPLACE, RACE], problem: problemOf() })
    expect(shrunk.steps).toEqual([
      {
        op: 'build',
        as: 'swap',
        key: 'one',
        sender: 'alice',
        body: { from: 'ETH', to: 'USDG', amount: 0.1 },
      },
      { op: 'send', build: 'swap', as: 'tx' },
      { op: 'confirm', key: 'one', build: 'swap', tx: 'tx' },
    ])
  })

  it('makes one of two builds that do the same, and changes together what must be equal', async () => {
    const twin = { ...BUILD, as: 'twin' }
    const sent: StepInput = { op: 'send', build: 'twin', as: 'tx-twin' }
    const report: StepInput = { op: 'confirm', key: 'two', build: 'twin', tx: 'tx-twin' }
    const buildsOf = (steps: readonly StepInput[]) =>
      steps.flatMap((step) => (step.op === 'build' ? [JSON.stringify([step.sender, step.body])] : []))
    const plain = { key: 'one', sender: 'alice', body: { from: 'ETH', to: 'USDG', amount: 0.1 } }

    const one = judgedBy((steps) => (steps.at(-1)?.op === 'confirm' ? problemOf() : null))
    const reported = { steps: [BUILD, SEND, twin, sent, report], problem: problemOf() }
    expect((await shrinkScript(one.run, reported)).steps.map(({ op }) => op)).toEqual([
      'build',
      'send',
      'confirm',
    ])

    const two = judgedBy((steps) => {
      const builds = buildsOf(steps)
      return builds.length === 2 && new Set(builds).size === 1 ? problemOf() : null
    })
    expect((await shrinkScript(two.run, { steps: [BUILD, twin], problem: problemOf() })).steps).toEqual([
      { op: 'build', as: 'swap', ...plain },
      { op: 'build', as: 'twin', ...plain },
    ])

    // The second report fails, whichever build it is for, after a first one of an earlier build.
    const again = judgedBy((steps) =>
      steps.filter(({ op }) => op === 'confirm').length === 2 && steps[0]?.op === 'build'
        ? problemOf()
        : null,
    )
    const first: StepInput = { op: 'confirm', key: 'two', build: 'swap', tx: 'tx' }
    const twice = { steps: [BUILD, SEND, first, twin, sent, report], problem: problemOf() }
    expect((await shrinkScript(again.run, twice)).steps).toEqual([
      { op: 'build', as: 'swap', ...plain },
      SEND,
      { op: 'confirm', key: 'one', build: 'swap', tx: 'tx' },
      { op: 'confirm', key: 'one', build: 'swap', tx: 'tx' },
    ])
  })

  it.each([
    [
      'another promise',
      problemOf({ kind: 'confirm.replacement.matching', requirement: 'confirm.replacement.matching' }),
    ],
    ['a harness that cannot run it', problemOf({ status: 'inconclusive' })],
  ])('never takes %s for the same failure', async (_what, other) => {
    const { run } = judgedBy((steps) => (blocksOf(steps) >= 12 ? problemOf() : other))
    const shrunk = await shrinkScript(run, { steps: [MINE, WAIT, MINE, BUILD], problem: problemOf() })
    expect(shrunk.steps).toEqual([{ op: 'mine', blocks: 12 }])
    expect(shrunk.problem).toEqual(problemOf())
  })

  it('goes on without expectations where a judge condemns the run without them', async () => {
    const foretold = { ...BUILD, expect: { status: 200 } }
    const expectation = problemOf({ kind: 'confirm: status 200, not 202', requirement: null })
    const { run, seen } = judgedBy((steps) =>
      JSON.stringify(steps).includes('expect') ? expectation : problemOf(),
    )
    const shrunk = await shrinkScript(run, { steps: [MINE, foretold], problem: expectation })
    expect(shrunk.problem).toEqual(problemOf())
    expect(seen.filter((steps) => JSON.stringify(steps).includes('expect'))).toEqual([])
  })

  it('keeps what an expectation rests on that no judge shares', async () => {
    const confirm: StepInput = { op: 'confirm', key: 'one', build: 'swap', tx: 'tx', expect: { status: 200 } }
    const fault: StepInput = { op: 'line-fault', kind: 'down', trips: 1 }
    const expectation = problemOf({ kind: 'confirm: status 200, not 202', requirement: null, step: confirm })
    // Whatever still reports is answered with 202, rightly or not.
    const { run } = judgedBy((steps) => (JSON.stringify(steps).includes('expect') ? expectation : null))
    const steps = [WAIT, BUILD, SEND, fault, { op: 'heal' }, MINE, confirm] as const
    const shrunk = await shrinkScript(run, { steps, problem: expectation })
    expect(shrunk.steps.map(({ op }) => op)).toEqual(['build', 'send', 'mine', 'confirm'])
    expect(shrunk.steps).toContainEqual(MINE)
  })

  it('runs no more scripts than it may, none twice, and the same ones every time', async () => {
    const search = async () => {
      const { run, seen } = judgedBy((steps) => (blocksOf(steps) >= 9 ? problemOf() : null))
      const steps = [MINE, WAIT, MINE, BUILD, SEND, MINE]
      const shrunk = await shrinkScript(run, { steps, problem: problemOf() }, { executionsMax: 9 })
      return { shrunk, seen: seen.map((each) => JSON.stringify(each)) }
    }
    const { shrunk, seen } = await search()
    expect(shrunk).toMatchObject({ executions: 9, exhausted: false })
    expect(new Set(seen).size).toBe(9)
    expect(await search()).toEqual({ shrunk, seen })
  })
})

/** Plausible mistakes in a confirmer, as a seam makes them. */
const MISTAKES: readonly (readonly [string, ServiceSeams])[] = [
  [
    'does not look at the depth',
    { deps: (deps) => ({ ...deps, policy: { ...deps.policy, confirmations: 1 } }) },
  ],
  [
    'never records',
    {
      domain: (domain) => ({
        ...domain,
        confirmer: {
          confirm: async (request, caller) => {
            const outcome = await domain.confirmer.confirm(request, caller)
            if (!('recorded' in outcome)) return outcome
            return { pending: { reason: 'pending', confirmations: 0, retryAfterS: 1 } }
          },
        },
      }),
    },
  ],
  [
    'calls a store that is down a pending transaction',
    {
      domain: (domain) => ({
        ...domain,
        confirmer: {
          confirm: async (request, caller) => {
            try {
              return await domain.confirmer.confirm(request, caller)
            } catch (error) {
              if (!(error instanceof StoreUnavailableError)) throw error
              return { pending: { reason: 'pending', confirmations: 0, retryAfterS: 1 } }
            }
          },
        },
      }),
    },
  ],
]

describe('shrinking a random script that a broken service fails', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld({ seed: 1 })
  })
  afterAll(() => world.stop())

  it.each(MISTAKES)(
    'that %s leaves at most eight steps, which the reference passes',
    async (_what, seams) => {
      const { seed, steps, problem } = await firstFailure(world, seams)
      const shrunk = await shrinkScript((each) => runScript(world, seed, each), { steps, problem })
      expect(shrunk.steps.length).toBeLessThanOrEqual(8)
      expect((await runScript(world, seed, shrunk.steps)).problem).toEqual(shrunk.problem)
      await world.reset(seed, {})
      expect((await runScript(world, seed, shrunk.steps)).problem).toBeNull()
    },
    120_000,
  )
})

async function firstFailure(world: World, seams: ServiceSeams) {
  for (let seed = 1; seed <= 60; seed += 1) {
    await world.reset(seed, seams)
    const { steps, problem } = await runRandomScript(world, seed)
    if (problem?.status === 'fail') return { seed, steps, problem }
  }
  throw new Error('no random script fails')
}
