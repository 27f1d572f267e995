import { describe, expect, it } from 'vitest'
import { caseSchema } from '../../../property/history/family.ts'
import type { StepInput } from '../../simulation/steps/steps.ts'
import { repairScript } from './repairScript.ts'
import { shrink } from './shrink.ts'
import { simplerScripts } from './shrinkScript.ts'

const MINE: StepInput = { op: 'mine', blocks: 7 }
const WAIT: StepInput = { op: 'wait', seconds: 3.25 }
const BUILD: StepInput = {
  op: 'build',
  as: 'swap',
  key: 'two',
  sender: 'bob',
  body: { from: 'ETH', to: 'USDG', amount: 0.125, slippageBps: 5000 },
}
/** The plainest build, to which others shrink. */
const PLAIN = { key: 'one', sender: 'alice', body: { from: 'ETH', to: 'USDG', amount: 1 } }
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

/** Shrinks by a judge that reads the script alone; `seen`: every script that was judged. */
async function shrinkBy(
  fails: (steps: readonly StepInput[]) => boolean,
  steps: readonly StepInput[],
  budget = 500,
) {
  const seen: (readonly StepInput[])[] = []
  const { smallest, ...rest } = await shrink(
    { steps },
    {
      simpler: simplerScripts,
      repair: repairScript,
      isCase: (candidate): candidate is { steps: readonly StepInput[] } =>
        caseSchema.safeParse(candidate).success,
      stillFails: async (candidate) => {
        seen.push(candidate.steps)
        return fails(candidate.steps)
      },
      budget,
    },
  )
  return { steps: smallest.steps, seen, ...rest }
}

const blocksOf = (steps: readonly StepInput[]) =>
  steps.reduce((sum, step) => sum + (step.op === 'mine' ? step.blocks : 0), 0)

describe('shrinking a script', () => {
  it('leaves what the failure needs, joined and in its smallest numbers', async () => {
    const steps = [WAIT, MINE, WAIT, BUILD, MINE, SEND, MINE, RACE, WAIT]
    const shrunk = await shrinkBy((each) => blocksOf(each) >= 12, steps)
    expect(shrunk.steps).toEqual([{ op: 'mine', blocks: 12 }])
    expect(shrunk.exhausted).toBe(false)
  })

  it('never leaves a step that names what is gone', async () => {
    const steps = [BUILD, SEND, MINE, REPLACE, WAIT, RACE]
    const { seen } = await shrinkBy((each) => each.some(({ op }) => op === 'race'), steps)
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
    expect((await shrinkBy(reports, [BUILD, SEND, REPLACE, RACE])).steps).toEqual([
      { op: 'build', as: 'swap', ...PLAIN },
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

    const one = await shrinkBy((steps) => steps.at(-1)?.op === 'confirm', [BUILD, SEND, twin, sent, report])
    expect(one.steps.map(({ op }) => op)).toEqual(['build', 'send', 'confirm'])

    const two = await shrinkBy(
      (steps) => {
        const builds = buildsOf(steps)
        return builds.length === 2 && new Set(builds).size === 1
      },
      [BUILD, twin],
    )
    expect(two.steps).toEqual([
      { op: 'build', as: 'swap', ...PLAIN },
      { op: 'build', as: 'twin', ...PLAIN },
    ])

    // Fails with two reports after a build, whichever builds they are for.
    const first: StepInput = { op: 'confirm', key: 'two', build: 'swap', tx: 'tx' }
    const again = await shrinkBy(
      (steps) => steps.filter(({ op }) => op === 'confirm').length === 2 && steps[0]?.op === 'build',
      [BUILD, SEND, first, twin, sent, report],
    )
    expect(again.steps).toEqual([
      { op: 'build', as: 'swap', ...PLAIN },
      SEND,
      { op: 'confirm', key: 'one', build: 'swap', tx: 'tx' },
      { op: 'confirm', key: 'one', build: 'swap', tx: 'tx' },
    ])
  })

  it('runs no more scripts than it may, none twice, and the same ones every time', async () => {
    const search = () => shrinkBy((each) => blocksOf(each) >= 9, [MINE, WAIT, MINE, BUILD, SEND, MINE], 9)
    const shrunk = await search()
    expect(shrunk).toMatchObject({ tries: 9, exhausted: true })
    expect(new Set(shrunk.seen.map((each) => JSON.stringify(each))).size).toBe(9)
    expect(await search()).toEqual(shrunk)
  })
})
