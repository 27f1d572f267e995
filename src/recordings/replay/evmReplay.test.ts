import { afterAll, describe, expect, it } from 'vitest'
import { startEvmSandbox } from '../../evm/evmSandbox.ts'
import type { ServiceSeams } from '../../service/testing.ts'
import { createWorld } from '../../simulation/world/world.ts'
import { parseRecording } from '../format/file.ts'
import { recordScript } from '../record/recordScript.ts'
import { type Anything, forged, goldenText } from '../testing/forge.ts'
import { EvmReplay } from './evmReplay.ts'

/** Answers every quote with another status. */
const TEAPOT: ServiceSeams = {
  wire: (service) => ({
    ...service,
    inject: async (request) => ({ ...(await service.inject(request)), statusCode: 418 }),
    close: () => service.close(),
  }),
}
const replay = new EvmReplay(async (defect) => (defect === undefined ? {} : TEAPOT))
afterAll(() => replay.stop())

const QUOTE = { op: 'quote', key: 'one', query: { from: 'ETH', to: 'USDG', amount: 1 } } as const

describe('running a recording again on the second EVM', () => {
  it('reproduces every entry of a recording that was made on Anvil', async () => {
    const recording = parseRecording(goldenText('replacement.higher-fee'))
    expect(await replay.prove(recording)).toEqual({ kind: 'identical', entries: recording.entries.length })
  })

  it('runs the known-broken service that was recorded, and no other', async () => {
    const world = await createWorld({ seed: 1, startSandbox: startEvmSandbox, seams: TEAPOT })
    try {
      const script = { name: 'teapot', seed: 1, steps: [QUOTE] }
      const named = await recordScript(world, { ...script, defect: 'teapot' })
      expect(await replay.prove(named)).toMatchObject({ kind: 'identical' })
      const unnamed = await recordScript(world, script)
      await expect(replay.prove(unnamed)).rejects.toMatchObject({ field: 'answer.status' })
    } finally {
      await world.stop()
    }
  })

  it('names the version that a recording of another version needs', async () => {
    const text = forged(goldenText('failures.store-down'), (recording: Anything) => {
      recording.entries.at(-1).plumbline = '0.0.1'
    })
    expect(await replay.prove(parseRecording(text))).toEqual({ kind: 'other-version', version: '0.0.1' })
  })
})
