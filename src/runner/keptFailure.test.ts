import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ServiceSeams } from '../service/testing.ts'
import type { StepInput } from '../simulation/steps.ts'
import { createWorld, type World } from '../simulation/world.ts'
import { type KeptFailure, keptCheck, readKeptFailures, writeKeptFailure } from './keptFailure.ts'
import type { RandomRunProblem } from './randomRun.ts'
import { runChecks } from './suite.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-kept-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const BUILD: StepInput = {
  op: 'build',
  as: 'swap',
  key: 'one',
  sender: 'alice',
  body: { from: 'ETH', to: 'USDG', amount: 1 },
}
const STEPS: readonly StepInput[] = [
  BUILD,
  { op: 'send', build: 'swap', as: 'tx' },
  { op: 'mine', blocks: 4 },
  { op: 'confirm', key: 'one', build: 'swap', tx: 'tx' },
]
const KIND = 'confirm.depth.twelve'
const PROBLEM: RandomRunProblem = {
  status: 'fail',
  kind: KIND,
  requirement: KIND,
  path: '3',
  step: null,
  message: 'credited too early',
}

describe('a kept failure', () => {
  it('is read as it was written, with the programs of then beside it', () => {
    const file = writeKeptFailure(directory, { seed: 7, steps: STEPS, problem: PROBLEM })
    const [kept] = readKeptFailures(directory)
    expect(kept).toMatchObject({
      id: 'kept.confirm.depth.twelve.seed-7',
      seed: 7,
      requirement: 'confirm.depth.twelve',
      problem: 'credited too early',
    })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      steps: STEPS,
      versions: { node: process.version, plumbline: expect.stringMatching(/^\d+\.\d+\.\d+/) },
    })
  })

  it('replaces itself when it is found again', () => {
    for (const blocks of [5, 4]) {
      const steps = [BUILD, { op: 'mine' as const, blocks }]
      writeKeptFailure(directory, { seed: 7, steps, problem: PROBLEM })
    }
    expect(readdirSync(directory)).toEqual(['confirm.depth.twelve.seed-7.json'])
    expect(readKeptFailures(directory)[0]?.steps[1]).toEqual({ op: 'mine', blocks: 4 })
  })

  it('names the promise behind an expectation that no judge shares', () => {
    const problem = { ...PROBLEM, kind: 'build: status 200, not 422', requirement: null, step: BUILD }
    writeKeptFailure(directory, { seed: 7, steps: [BUILD], problem })
    expect(readKeptFailures(directory)[0]?.requirement).toBe('build.response.route')
  })

  it.each([
    ['no JSON', 'nothing', 'JSON'],
    ['a step that does not exist', JSON.stringify({ op: 'jump' }), 'steps.0'],
  ])('is refused by its name when its file holds %s', (_what, step, told) => {
    const file = writeKeptFailure(directory, { seed: 7, steps: STEPS, problem: PROBLEM })
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace(/"steps": \[/, `"steps": [${step},`))
    expect(() => readKeptFailures(directory)).toThrow(told)
    expect(() => readKeptFailures(directory)).toThrow('seed-7.json')
  })

  it('is none where there is no folder', () => {
    expect(readKeptFailures(join(directory, 'nowhere'))).toEqual([])
  })
})

describe('a kept failure as a check', () => {
  const kept: KeptFailure = {
    id: 'kept.confirm.depth.twelve.seed-7',
    seed: 7,
    requirement: 'confirm.depth.twelve',
    problem: 'credited too early',
    steps: STEPS,
  }
  const hasty: ServiceSeams = {
    deps: (deps) => ({ ...deps, policy: { ...deps.policy, confirmations: 4 } }),
  }
  let world: World
  beforeAll(async () => {
    world = await createWorld({ seed: 1 })
  })
  afterAll(() => world.stop())

  const resultOf = async (failure: KeptFailure, seams: ServiceSeams) => {
    await world.reset(1, seams)
    const [result] = await runChecks([keptCheck(failure)], {
      enter: async () => world,
      replay: () => '',
      transcript: () => [],
    })
    return result
  }

  it('passes once the service is right, with the evidence of its judges', async () => {
    const result = await resultOf(kept, {})
    expect(result).toMatchObject({ status: 'pass', exercised: 2 })
    expect(result?.judged.map(({ requirement }) => requirement)).toContain('confirm.depth.twelve')
  })

  it('fails while the service is still wrong', async () => {
    expect(await resultOf(kept, hasty)).toMatchObject({
      status: 'fail',
      failure: { requirement: 'confirm.depth.twelve' },
    })
  })

  it('is inconclusive when it cannot be run', async () => {
    const broken = { ...kept, steps: STEPS.slice(1) }
    expect(await resultOf(broken, {})).toMatchObject({
      status: 'inconclusive',
      failure: { blame: 'harness' },
    })
  })
})
