import { readdirSync } from 'node:fs'
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { baseWorld } from '../../evm/baseWorld.ts'
import { GasLimitError, GasMeter } from '../../evm/gasMeter.ts'
import { Trial } from '../../evm/trial.ts'
import { parseRecording } from '../format/file.ts'
import { executeRecording } from '../testing/executeRecording.ts'
import { forged, goldenText } from '../testing/forge.ts'
import { changed, withReply } from '../testing/forgeries/forgery.ts'
import { summarizeRecording } from '../verify/summarizeRecording.ts'
import { leastGasOf } from './executionLimit.ts'

const FOLDER = new URL('../../../reports/golden/', import.meta.url)
const GOLDEN = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace('.json', ''))
const REORG = goldenText('reorg.moves-to-later-block')

describe('a second EVM', () => {
  it.each(GOLDEN)('reproduces everything that Anvil recorded: %s', async (id) => {
    const recording = parseRecording(goldenText(id))
    const { differences, blocks, replies } = await executeRecording(recording)
    expect(differences).toEqual([])
    expect(blocks).toBe(recording.entries.filter(({ kind }) => kind === 'block').length)
    expect(replies).toBeGreaterThan(0)
  })

  it('leaves a recording in doubt unjudged, and says why', async () => {
    const text = forged(REORG, (recording) =>
      withReply(
        recording,
        'eth_simulateV1',
        changed(([{ calls }]) => (calls[1].status = '0x0')),
      ),
    )
    const { summary } = await summarizeRecording(text)
    expect(summary).toMatchObject({ verdict: 'inconclusive', refused: null })
    expect(summary.problem).toMatch(/^The chain is in doubt: entry .*\. Either the file was altered/)
  })

  it('executes no more than its limit, and reports the gas that it would take', async () => {
    const recording = parseRecording(REORG)
    const { gas } = await executeRecording(recording)
    expect((await executeRecording(recording, gas)).gas).toBe(gas)
    const refused = executeRecording(recording, gas - 1)
    await expect(refused).rejects.toMatchObject({
      name: GasLimitError.name,
      leastGas: gas,
      limitGas: gas - 1,
    })
    await expect(refused).rejects.toThrow(/at least [\d,]+ gas, and the limit is [\d,]+$/)
    // The gas that the file itself shows is checked before anything is executed.
    await expect(executeRecording(recording, 100_000)).rejects.toMatchObject({
      leastGas: leastGasOf(recording.entries, recording.blobs),
    })
  })

  it('counts no gas that nothing was executed for', async () => {
    const { state, context } = await baseWorld()
    const meter = new GasMeter(10 ** 9)
    const halting: Hex = '0x00000000000000000000000000000000000000fe'
    const at = { state: state.copy(meter), context }
    at.state.setAccount(halting, { code: '0xfe' })
    const before = meter.spent
    const { succeeded, gasUsed } = await new Trial(at).call({ to: halting, gas: 900_000_000 })
    expect({ succeeded, gasUsed }).toEqual({ succeeded: false, gasUsed: 900_000_000 })
    expect(meter.spent - before).toBeLessThan(30_000)
  })
})
