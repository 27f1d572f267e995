import { readdirSync } from 'node:fs'
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { baseWorld } from '../../evm/baseWorld.ts'
import { GasLimitError, GasMeter } from '../../evm/gasMeter.ts'
import { Trial } from '../../evm/trial.ts'
import { canonicalJson, sha256 } from '../format/canonical.ts'
import { positioned } from '../format/drafts.ts'
import { parseRecording } from '../format/file.ts'
import { executeRecording } from '../testing/executeRecording.ts'
import { type Anything, forged, goldenText } from '../testing/forge.ts'
import { summarizeRecording } from '../verify/summarizeRecording.ts'
import { verifyRecording } from '../verify/verifyRecording.ts'
import { ChainInDoubtError, OtherWorldError } from './errors.ts'
import { leastGasOf } from './executionLimit.ts'

const FOLDER = new URL('../../../reports/golden/', import.meta.url)
const GOLDEN = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace('.json', ''))
const REORG = goldenText('reorg.moves-to-later-block')

async function doubtOf(text: string): Promise<ChainInDoubtError> {
  const error: unknown = await verifyRecording(text).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof ChainInDoubtError) return error
  throw error ?? new Error('the recording was believed')
}

/** Returns a recording whose first simulation was changed and which was sealed again. */
function withSimulation(change: (block: Anything) => void): string {
  return forged(REORG, (recording) => {
    const rpc = recording.entries.find((entry: Anything) => entry.calls?.[0]?.method === 'eth_simulateV1')
    const key = rpc.replies[0].slice('sha256:'.length)
    const { [key]: reply, ...others } = recording.blobs
    change(reply.result[0])
    const renamed = sha256(canonicalJson(reply))
    rpc.replies[0] = `sha256:${renamed}`
    const blobs = Object.entries({ ...others, [renamed]: reply })
    recording.blobs = Object.fromEntries(blobs.sort(([one], [other]) => (one < other ? -1 : 1)))
  })
}

describe('a second EVM', () => {
  it.each(GOLDEN)('reproduces everything that Anvil recorded: %s', async (id) => {
    const recording = parseRecording(goldenText(id))
    const { differences, blocks, replies } = await executeRecording(recording)
    expect(differences).toEqual([])
    expect(blocks).toBe(recording.entries.filter(({ kind }) => kind === 'block').length)
    expect(replies).toBeGreaterThan(0)
  })

  it.each<[string, (block: Anything) => void, string]>([
    [
      'what a venue would pay',
      ({ calls }) => (calls[0].returnData = calls[1].returnData),
      'calls.0.returnData',
    ],
    ['whether a call succeeds', ({ calls }) => (calls[1].status = '0x0'), 'calls.1.status'],
    ['the gas of a call', ({ calls }) => (calls[1].gasUsed = '0x1'), 'calls.1.gasUsed'],
    ['the time of the block', (block) => (block.timestamp = '0x1'), 'timestamp'],
    ['the hash of a call', ({ transactions }) => transactions.reverse(), 'transactions.0'],
  ])('finds a forged answer of eth_simulateV1: %s', async (_what, change, place) => {
    const doubt = await doubtOf(withSimulation(change))
    expect(doubt.message).toMatch(/^the chain is in doubt: entry \d+, replies\.0\.result\.0\./)
    expect(doubt.differences.map(({ field }) => field)).toContain(`replies.0.result.0.${place}`)
  })

  it('finds a forged price of gas', async () => {
    const forgery = forged(REORG, ({ entries }) => {
      const rpc = entries.find((entry: Anything) => entry.calls?.[1]?.method === 'eth_gasPrice')
      rpc.replies[1].result = '0x77'
    })
    expect(await doubtOf(forgery)).toMatchObject({
      field: 'replies.1.result',
      differences: [{ recorded: '0x77', executed: '0x3b9aca07' }],
    })
  })

  it('leaves a recording in doubt unjudged, and says why', async () => {
    const text = withSimulation(({ calls }) => {
      calls[1].status = '0x0'
    })
    const { summary } = await summarizeRecording(text)
    expect(summary).toMatchObject({ verdict: 'inconclusive', refused: null })
    expect(summary.problem).toMatch(/^The chain is in doubt: entry .*\. Either the file was altered/)
  })

  const [AT] = positioned(parseRecording(REORG).entries, 'block').find(
    ([, { transactions }]) => transactions.length > 0,
  ) as readonly [number, unknown]
  it.each<[string, (block: Anything) => void]>([
    ['header.stateRoot', ({ header }) => (header.stateRoot = `0x${'1'.repeat(64)}`)],
    ['header.mixHash', ({ header }) => (header.mixHash = `0x${'1'.repeat(64)}`)],
    ['header.baseFeeWei', ({ header }) => (header.baseFeeWei = '8')],
    ['transactions.0.succeeded', ({ transactions }) => (transactions[0].succeeded = false)],
    ['transactions.0.cumulativeGasUsed', ({ transactions }) => (transactions[0].cumulativeGasUsed += 1)],
    ['transactions.0.logs.1', ({ transactions }) => transactions[0].logs.pop()],
    ['transactions.1', ({ transactions }) => transactions.push(transactions[0])],
  ])('finds a changed field in a block of the right hash: %s', async (field, change) => {
    const { entries, blobs }: Anything = parseRecording(REORG)
    change(entries[AT])
    await expect(executeRecording({ entries, blobs })).rejects.toMatchObject({ entry: AT, field })
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

  it('names the contracts that differ where it cannot execute a recording', async () => {
    const other = forged(REORG, ({ entries }) => {
      entries[0].contracts.settlementBytecode = '0'.repeat(64)
    })
    for (const execute of [true, false])
      await expect(verifyRecording(other, { execute })).rejects.toMatchObject({
        name: OtherWorldError.name,
        contracts: ['settlementBytecode'],
      })
  })
})
