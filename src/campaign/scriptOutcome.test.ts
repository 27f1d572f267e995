import { expect, it } from 'vitest'
import type { Script, ScriptRun } from '../runner/families/runScript.ts'
import { runScriptSeed } from './scriptOutcome.ts'

const BROKEN = { property: 'confirm.credits', requirement: 'confirm.pending', expected: '202' } as const

/** Replaces a world: every script breaks the same property, at a different step. */
async function breakAlways({ seed }: Script): Promise<ScriptRun> {
  const broken = { ...BROKEN, actual: `200 (report ${seed}, step ${2 * seed})`, others: [] }
  const problem = { status: 'fail', broken, path: `${seed}`, step: null, message: 'broken' } as const
  return { log: [], struck: {}, labels: [], judged: {}, problem }
}

async function failureOf(seed: number) {
  const { failures } = await runScriptSeed(breakAlways, seed)
  return failures[0]
}

it('has one fingerprint for seeds with the same failure', async () => {
  const [one, other] = [await failureOf(7), await failureOf(11)]
  expect(one?.fingerprint).toMatch(/^[0-9a-f]{16}$/)
  expect(other?.fingerprint).toBe(one?.fingerprint)
  expect(one?.case).toMatchObject({
    ...{ id: 'confirm.credits', status: 'fail', requirements: ['confirm.pending'] },
    failure: { blame: 'target', expected: '202', actual: '200 (report 7, step 14)' },
  })
})
