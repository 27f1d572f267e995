import { expect, it } from 'vitest'
import type { ScriptRun } from '../runner/families/runScript.ts'
import { runScriptSeed, type Simulator } from './scriptOutcome.ts'

const BROKEN = { property: 'confirm.credits', requirement: 'confirm.pending', expected: '202' } as const

/** Returns a simulator without a chain, in which every script breaks the same property at a step of its own. */
function brokenSimulator(): Simulator {
  return {
    run: async ({ seed }) => {
      const broken = { ...BROKEN, actual: `200 (report ${seed}, step ${2 * seed})`, others: [] }
      const problem = { status: 'fail', broken, path: `${seed}`, step: null, message: 'broken' } as const
      return { log: [], struck: {}, labels: [], judged: {}, problem } satisfies ScriptRun
    },
    shrink: async ({ steps }, broken) => ({ steps: steps.slice(0, 2), broken, tries: 7, exhausted: true }),
    record: async ({ name }) => `recording of ${name}`,
  }
}

async function failureOf(seed: number) {
  const outcome = await runScriptSeed(brokenSimulator(), { seed })
  if (outcome === null || !('failures' in outcome)) throw new Error('the seed was not run')
  return outcome.failures[0]
}

it('has one fingerprint for the seeds that fail in one way', async () => {
  const [one, other] = [await failureOf(7), await failureOf(11)]
  expect(one?.fingerprint).toMatch(/^[0-9a-f]{16}$/)
  expect(other?.fingerprint).toBe(one?.fingerprint)
  expect(one?.case).toMatchObject({
    ...{ id: 'confirm.credits', status: 'fail', requirements: ['confirm.pending'] },
    failure: { blame: 'target', expected: '202', actual: '200 (report 7, step 14)' },
  })
})

it('shrinks the failure of a fingerprint, with its recording', async () => {
  const shrink = (await failureOf(7))?.fingerprint ?? ''
  expect(await runScriptSeed(brokenSimulator(), { seed: 7, shrink })).toMatchObject({
    case: {
      notes: [
        expect.stringMatching(/^shrunk from \d+ steps to 2 in 7 runs, which is the limit:$/),
        expect.stringContaining('"op"'),
        expect.stringContaining('"op"'),
      ],
      failure: { counterexample: { steps: [expect.anything(), expect.anything()] } },
    },
    recording: 'recording of confirm.pending',
  })
})

it('shrinks nothing where the seed does not fail in this way again', async () => {
  expect(await runScriptSeed(brokenSimulator(), { seed: 7, shrink: '0'.repeat(16) })).toBeNull()
})
