import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseRecording } from '../src/recordings/format/file.ts'
import { replayRecording } from '../src/recordings/replay/replayRecording.ts'
import { verifyRecording } from '../src/recordings/verify/verifyRecording.ts'
import { namedScenarios } from '../src/runner/scenarioFolder.ts'
import { stepSchema } from '../src/simulation/steps.ts'
import { createWorld, type World } from '../src/simulation/world.ts'

const FOLDER = new URL('../reports/golden/', import.meta.url)
const SEED = 1
const STALE = 'the service or the story has changed: read the difference, then run `npm run golden`'

let world: World
beforeAll(async () => {
  world = await createWorld({ seed: SEED })
})
afterAll(() => world.stop())

function golden(id: string): string {
  return readFileSync(new URL(`${id}.json`, FOLDER), 'utf8')
}

describe('golden recordings', () => {
  it('are there for every story, and for nothing else', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(
      namedScenarios()
        .map(({ id }) => `${id}.json`)
        .sort(),
    )
  })

  it.each(namedScenarios().map(({ id, steps }) => [id, steps] as const))(
    '%s: holds offline, tells the story, and is repeated to the byte',
    async (id, steps) => {
      const text = golden(id)
      const { recording, failures, outcome } = await verifyRecording(text)
      expect(failures).toEqual([])
      expect(outcome).toMatchObject({ ended: 'as-told', unmetFaults: 0 })
      expect(recording.entries[2], STALE).toMatchObject({
        kind: 'script',
        name: id,
        seed: SEED,
        steps: steps.map((step) => stepSchema.parse(step)),
      })
      expect(await replayRecording(world, recording), STALE).toBeNull()
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
    await world.reset(SEED, {})
  })
})
