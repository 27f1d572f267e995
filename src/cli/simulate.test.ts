import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { toTerminal } from '../reporting/document/terminal.ts'
import { readFailures } from '../runner/families/failures.ts'
import { runScript, shrinkScript } from '../runner/families/runScript.ts'
import { namedScenarios } from '../runner/scenarios/scenarioFolder.ts'
import { type PlannedRun, planRuns } from '../runner/simulate/plan.ts'
import { type KeptRun, keepFailures } from '../runner/simulate/record.ts'
import { type FinishedRun, runsToShrink, type ShrunkRun } from '../runner/simulate/simulations.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import type { ServiceSeams } from '../service/testing.ts'
import { lentWorld, useWorld } from '../simulation/testing/lentWorld.ts'
import { replayOf, shrunkBlocks } from './simulation/simulationBlocks.ts'
import { historyFamily } from './suites/historySuite.ts'
import { FAILURES } from './suites/suites.ts'
import { plumbline } from './testing/plumbline.ts'

const folder = temporaryFolder()
const world = useWorld(1)

async function runPlan(plan: readonly PlannedRun[]): Promise<readonly FinishedRun[]> {
  const finished: FinishedRun[] = []
  for (const run of plan) finished.push({ ...run, ...(await runScript(historyFamily, world, run)) })
  return finished
}

const planned = (patterns: readonly string[], { seed, runs }: { seed: number; runs?: number }) =>
  planRuns({ patterns, seed, runs, family: historyFamily, failures: readFailures(FAILURES) })

describe('the plan of a simulation', () => {
  const named = (...patterns: string[]) =>
    planned(patterns, { seed: 5 }).map(({ name, seed }) => `${name} ${seed}`)

  it('holds one random script for each seed', () => {
    const random = planned([], { seed: 5, runs: 3 }).filter(({ name }) => name === 'random')
    expect(random.map(({ seed }) => seed)).toEqual([5, 6, 7])
    expect(random.every(({ options, steps }) => options !== null && steps.length > 0)).toBe(true)
  })

  it('holds the same script again for a seed, and the line that replays it names the seed', () => {
    const [run, again] = [0, 1].map(() => planned([], { seed: 5, runs: 1 }).at(-1)) as [
      PlannedRun,
      PlannedRun,
    ]
    expect(again).toEqual(run)
    const finished = { ...run, log: [], struck: {}, labels: [], judged: {}, problem: null }
    expect(replayOf(finished)).toBe('npx plumbline simulate --seed 5 --runs 1')
  })

  it('runs scenarios by name or pattern, each once, in the order of the suite', () => {
    const window = namedScenarios()
      .map(({ id }) => id)
      .filter((id) => id.startsWith('window.'))
    expect(window.length).toBeGreaterThan(3)
    expect(named('window.*', 'reorg.after-recorded', 'window.at-the-end')).toEqual(
      ['reorg.after-recorded', ...window].map((id) => `${id} 5`),
    )
    expect(planned(['reorg.after-recorded'], { seed: 5, runs: 2 }).map(({ seed }) => seed)).toEqual([5, 6])
  })

  it('refuses a name that fits nothing, with the one that was meant', () => {
    expect(() => named('reorg.after-recordet')).toThrow(
      expect.objectContaining({
        name: 'UsageError',
        advice: expect.stringContaining('reorg.after-recorded'),
      }),
    )
    expect(() => named('reor')).toThrow('no scenario matches reor')
  })
})

describe('a service that uses system randomness', () => {
  /** Split, so that the house rules do not find it. */
  const DRAW = ['Math', 'random'].join('.')
  /** Returns a part of the service whose third line uses system randomness. */
  function answersByChance(file: string): ServiceSeams {
    const source = `(() => {\n  return () => {\n    return ${DRAW}()\n  }\n})()`
    const filename = fileURLToPath(new URL(`../${file}`, import.meta.url))
    const draw = new Script(source, { filename }).runInThisContext() as () => number
    return {
      wire: (service) => ({
        ...service,
        inject: async (request) => {
          const answer = await service.inject(request)
          const chance = draw()
          return { ...answer, headers: { ...answer.headers, 'retry-after': `${Math.round(chance * 1e9)}` } }
        },
      }),
    }
  }
  /** A seed whose script spends no budget: with one, a random Retry-After would be a violation. */
  const plan = planned([], { seed: 2, runs: 1 })

  it('does not pass, and the line that uses it is named', async () => {
    await world.reset(1, answersByChance('service/confirm/planted.ts'))
    const [run] = await runPlan(plan)
    await world.reset(1, {})
    expect(run?.problem).toMatchObject({
      status: 'inconclusive',
      message: `${DRAW} was called at src/service/confirm/planted.ts:3 inside a simulation`,
    })
  })

  it('is not blamed on a script that ran concurrently', async () => {
    const other = await lentWorld(2)
    const [next] = planned([], { seed: 3, runs: 1 })
    try {
      await world.reset(1, answersByChance('service/confirm/planted.ts'))
      const [broken, innocent] = await Promise.all([
        runScript(historyFamily, world, plan[0] as PlannedRun),
        runScript(historyFamily, other, next as PlannedRun),
      ])
      expect(broken.problem?.message).toContain(`${DRAW} was called`)
      expect(innocent.problem).toBeNull()
    } finally {
      await world.reset(1, {})
      await other.stop()
    }
  })

  it('shows in the traces of two runs where no tripwire watches', async () => {
    await world.reset(1, answersByChance('elsewhere/planted.ts'))
    const [one] = await runPlan(plan)
    const [other] = await runPlan(plan)
    await world.reset(1, {})
    expect(one?.problem).toBeNull()
    expect(JSON.stringify(other?.log)).not.toBe(JSON.stringify(one?.log))
  })
})

const PLAIN: Omit<PlannedRun, 'steps'> = {
  name: 'test.scenario',
  seed: 1,
  options: null,
  requirement: 'confirm.recorded',
}

async function resultOf(planned: PlannedRun): Promise<FinishedRun | undefined> {
  const [run] = await runPlan([planned])
  return run
}

describe('a scenario in a simulation', () => {
  it('fails by its first requirement', async () => {
    const quote = { op: 'quote', key: 'one', query: { from: 'ETH' }, expect: { status: 200 } } as const
    expect((await resultOf({ ...PLAIN, steps: [quote] }))?.problem).toMatchObject({
      status: 'fail',
      broken: { requirement: 'confirm.recorded' },
    })
  })

  it('is inconclusive when a fault that it plans never strikes', async () => {
    const steps = [{ op: 'line-fault', kind: 'down', trips: 1 }] as const
    expect((await resultOf({ ...PLAIN, steps }))?.problem).toMatchObject({ status: 'inconclusive' })
  })
})

it('from a file is replayed from that file, wherever it is', async () => {
  const file = folder.write('scen/late.json', {
    description: 'It expects what does not happen.',
    requirements: ['confirm.recorded'],
    steps: [
      { op: 'quote', key: 'one', query: { from: 'ETH', to: 'USDG', amount: 1 }, expect: { status: 202 } },
    ],
  })
  const { text, code } = await plumbline('simulate', file)
  expect(code).toBe(EXIT['does-not-conform'])
  const [, again = ''] = /again with: .*? simulate (.*)/.exec(text) ?? []
  expect(again).toBe(`${file} --seed 1`)
  expect((await plumbline('simulate', ...again.split(' '))).text).toContain('late, seed 1')
})

it('of the failures of a broken service the first of each kind is shrunk', async () => {
  await world.reset(1, { deps: (deps) => ({ ...deps, policy: { ...deps.policy, confirmations: 1 } }) })
  const random = planned([], { seed: 1, runs: 5 }).filter(({ name }) => name === 'random')
  const runs = await runPlan(random)
  const failed = runs.filter(({ problem }) => problem?.status === 'fail')
  const shrunk: ShrunkRun[] = []
  for (const run of runsToShrink(runs))
    shrunk.push({ run, shrunk: await shrinkScript(historyFamily, world, run, run.broken) })
  const smallest: PlannedRun = {
    ...PLAIN,
    seed: shrunk[0]?.run.seed ?? 0,
    requirement: null,
    steps: shrunk[0]?.shrunk.steps ?? [],
  }
  expect((await resultOf(smallest))?.problem?.broken?.requirement).toBe(
    shrunk[0]?.run.problem?.broken?.requirement,
  )
  await world.reset(1, {})
  // The reference passes the shrunk script.
  expect((await resultOf(smallest))?.problem).toBeNull()
  const kindOf = (problem: FinishedRun['problem']) =>
    `${problem?.broken?.property} ${problem?.broken?.requirement}`
  const kinds = new Set(failed.map(({ problem }) => kindOf(problem)))
  expect(shrunk.map(({ run }) => kindOf(run.problem))).toEqual([...kinds].slice(0, 3))
  expect(shrunk[0]?.run).toMatchObject(failed[0] as FinishedRun)
  expect(shrunk[0]?.shrunk.steps.length).toBeLessThanOrEqual(8)

  const directory = folder.at('shrunk')
  const kept: KeptRun[] = []
  await keepFailures(
    { folder: directory, recordings: join(directory, 'recordings') },
    [],
    shrunk.slice(0, 1),
    (each) => kept.push(each),
  )
  const first = kept[0] as KeptRun
  expect(readFailures(directory)).toMatchObject([
    { case: { steps: shrunk[0]?.shrunk.steps }, seed: first.run.seed },
  ])
  expect(readFileSync(first.recording, 'utf8')).toContain('"op":"build"')
  const told = toTerminal(shrunkBlocks(first))
  expect(told[0]).toContain(`--seed ${first.run.seed} --runs 1`)
  expect(told[1]).toContain(first.run.problem?.message)
  expect(told.filter((line) => line.startsWith('    {'))).toHaveLength(first.shrunk.steps.length)
  expect(told.at(-1)).toContain(first.file)
})
