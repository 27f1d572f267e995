import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { digestOf, runDigestSchema } from '../src/recordings/format/digest.ts'
import { parseRecording } from '../src/recordings/format/file.ts'
import { recordScript } from '../src/recordings/record/recordScript.ts'
import { firstDivergenceInWords } from '../src/recordings/replay/divergence.ts'
import { recordAgain, replayRecording } from '../src/recordings/replay/replayRecording.ts'
import { verifyParsed, verifyRecording } from '../src/recordings/verify/verifyRecording.ts'
import { namedScenarios } from '../src/runner/scenarios/scenarioFolder.ts'
import { stepSchema } from '../src/simulation/steps/steps.ts'
import { createWorld, type World } from '../src/simulation/world/world.ts'
import { DIGESTS_FILE, GOLDEN_FOLDER, GOLDEN_SEED, WHOLE_RECORDINGS } from './golden.ts'

const STALE = 'the service or the scenario has changed: read the difference, then run `npm run golden`'
const SCENARIOS = new Map(namedScenarios().map((scenario) => [scenario.id, scenario]))
const DIGESTS = readFileSync(DIGESTS_FILE, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => runDigestSchema.parse(JSON.parse(line)))

let world: World
beforeAll(async () => {
  world = await createWorld({ seed: GOLDEN_SEED, stateRoots: true })
})
afterAll(() => world.stop())

function golden(id: string): string {
  return readFileSync(new URL(`${id}.json`, GOLDEN_FOLDER), 'utf8')
}

function stepsOf(id: string) {
  return SCENARIOS.get(id)?.steps.map((step) => stepSchema.parse(step))
}

describe('golden recordings', () => {
  it('are there for every scenario, whole or as a digest, and for nothing else', () => {
    const files = readdirSync(GOLDEN_FOLDER).filter((file) => file.endsWith('.json'))
    expect(files.sort()).toEqual(WHOLE_RECORDINGS.map((id) => `${id}.json`))
    const ids = [...WHOLE_RECORDINGS, ...DIGESTS.map(({ id }) => id)]
    expect(ids.sort()).toEqual([...SCENARIOS.keys()])
  })

  it.each(WHOLE_RECORDINGS)(
    '%s: verifies, has the steps of its scenario, and replays identically',
    async (id) => {
      const { recording, failures, outcome } = await verifyRecording(golden(id), { execute: false })
      expect(failures).toEqual([])
      expect(outcome).toMatchObject({ ended: 'as-expected', unmetFaults: 0 })
      const script = { kind: 'script', name: id, seed: GOLDEN_SEED, steps: stepsOf(id) }
      expect(recording.entries[2], STALE).toMatchObject(script)
      // Recorded as `replay` and `verify` do it; the wording of verdicts must also be the same.
      const again = await recordAgain(world, recording)
      expect(firstDivergenceInWords(recording, again), STALE).toBeNull()
    },
  )

  it.each(DIGESTS.map((digest) => [digest.id, digest] as const))(
    '%s: is recorded again with the same digest, and verifies',
    async (id, digest) => {
      const { steps } = SCENARIOS.get(id) ?? { steps: [] }
      const recording = await recordScript(world, { name: id, seed: digest.seed, steps })
      expect(digestOf(recording), STALE).toEqual(digest)
      const { failures, outcome } = await verifyParsed(recording, { execute: false })
      expect(failures).toEqual([])
      expect(outcome).toMatchObject({ ended: 'as-expected', unmetFaults: 0 })
    },
  )

  it('are another when the service takes one second more', async () => {
    const recording = parseRecording(golden('reorg.moves-to-later-block'))
    const hasty = await replayRecording(world, recording, {
      domain: (domain) => ({
        ...domain,
        confirmer: {
          confirm: async (request, caller) => {
            const outcome = await domain.confirmer.confirm(request, caller)
            if (!('pending' in outcome)) return outcome
            return { pending: { ...outcome.pending, retryAfterS: outcome.pending.retryAfterS + 1 } }
          },
        },
      }),
    })
    expect(hasty).toMatchObject({
      kind: 'http',
      field: 'answer.headers.retry-after',
      recorded: '"1"',
      replayed: '"2"',
      what: expect.stringContaining('step 3: POST /api/v1/swap/confirm'),
    })
    expect(hasty?.ledTo.at(-1)).toBe('step 2 (mine) ended at block 13')
    await world.reset(GOLDEN_SEED, {})
  })
})
