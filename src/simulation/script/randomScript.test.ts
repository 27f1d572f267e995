import { describe, expect, it } from 'vitest'
import { type StepInput, stepSchema } from '../steps/steps.ts'
import { generateScript } from './randomScript.ts'

const SCRIPTS = Array.from({ length: 200 }, (_, seed) => generateScript(seed))

describe('scripts drawn from a seed', () => {
  it('are equal for equal seeds, and differ between seeds', () => {
    expect(SCRIPTS.map((_, seed) => generateScript(seed))).toEqual(SCRIPTS)
    expect(new Set(SCRIPTS.map(({ steps }) => JSON.stringify(steps))).size).toBe(SCRIPTS.length)
  })

  it('are plain JSON that the interpreter accepts', () => {
    for (const { steps } of SCRIPTS) {
      expect(JSON.parse(JSON.stringify(steps))).toEqual(steps)
      for (const step of steps) expect(stepSchema.safeParse(step).error).toBeUndefined()
    }
  })

  it('name only things that an earlier step created', () => {
    for (const { steps } of SCRIPTS) {
      const known = new Set<string>()
      for (const step of stepsWithin(steps)) {
        for (const name of namesUsed(step)) expect(known).toContain(name)
        for (const name of namesMade(step, steps)) known.add(name)
      }
    }
  })

  it('contain every possible fault between them', () => {
    const ops = new Set(SCRIPTS.flatMap(({ steps }) => steps.map(({ op }) => op)))
    const known = stepSchema.options.map(({ shape }) => shape.op.value)
    // Only named scenarios check the state of the chain.
    expect([...ops].sort()).toEqual(known.filter((op) => op !== 'look').sort())
  })

  it('contain no fault whose weight is zero', () => {
    for (const { options, steps } of SCRIPTS) {
      const ops = steps.map(({ op }) => op)
      // A fork of the chain leaves a node on the old branch, which has its own weight.
      const faults = steps.filter((step) => step.op === 'line-fault' && step.kind !== 'abandoned')
      if (options.lineFault === 0) expect(faults).toEqual([])
      if (options.reorg === 0) expect(ops).not.toContain('reorg')
      if (options.race === 0) expect(ops).not.toContain('race')
      if (options.crash === 0) expect(ops).not.toContain('crash-at')
      if (options.meanwhile === 0) expect(ops).not.toContain('meanwhile')
      if (options.skew === 0) expect(stepsWithin(steps).map(({ op }) => op)).not.toContain('skew')
    }
  })

  it('end healed, with reports of every swap', () => {
    for (const { steps } of SCRIPTS) {
      const settled = steps.slice(steps.findLastIndex(({ op }) => op === 'heal') + 1)
      expect(settled.map(({ op }) => op)).not.toContain('reorg')
      const swaps = steps
        .filter(({ op }) => op === 'send' || op === 'replace')
        .map((step) => 'as' in step && step.as)
      const reported = settled.flatMap((step) => (step.op === 'confirm' ? [step.tx] : []))
      expect(swaps.filter((name) => !reported.includes(String(name)))).toEqual([])
    }
  })

  it('predict no answer', () => {
    expect(JSON.stringify(SCRIPTS.map(({ steps }) => steps))).not.toMatch(/"expect/)
  })
})

/** Returns every step in the order in which it runs, those within another before it. */
function stepsWithin(steps: readonly StepInput[]): readonly StepInput[] {
  return steps.flatMap((step) => (step.op === 'meanwhile' ? [...stepsWithin(step.steps), step] : [step]))
}

function namesUsed(step: StepInput): readonly string[] {
  switch (step.op) {
    case 'approve':
    case 'pay-fee':
    case 'mine-at-deadline':
    case 'send':
      return [step.build]
    case 'replace':
    case 'cancel':
    case 'drop':
    case 'resend':
    case 'look':
      return [step.tx]
    case 'confirm':
      return [step.build, step.tx]
    case 'race':
      return step.reports.flatMap(({ build, tx }) => [build, tx])
    case 'reorg':
      return (step.keep ?? []).map(({ tx }) => tx)
    default:
      return []
  }
}

function namesMade(step: StepInput, steps: readonly StepInput[]): readonly string[] {
  switch (step.op) {
    case 'build':
      // While line or store may fail, a build may not be served.
      return step.as.startsWith('doomed') ? [] : [step.as]
    case 'send':
    case 'replace':
    case 'cancel':
    case 'issue-key':
      return [step.as]
    case 'pay-fee':
      return [`${step.build}-fee`]
    case 'approve': {
      const build = steps.find((each) => each.op === 'build' && each.as === step.build)
      const engine = build?.op === 'build' ? build.body.preferEngine : undefined
      const permit = engine === 'venue_b' || engine === 'venue_e'
      return [`${step.build}-approval`, ...(permit ? [`${step.build}-permit`] : [])]
    }
    default:
      return []
  }
}
