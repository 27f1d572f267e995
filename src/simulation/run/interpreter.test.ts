import { beforeEach, describe, expect, it } from 'vitest'
import type { StepInput } from '../steps/steps.ts'
import { useWorld } from '../testing/lentWorld.ts'
import { runSteps } from './interpreter.ts'

const world = useWorld(7)
beforeEach(() => world.reset(7))

const ETH_TO_USDG = { from: 'ETH', to: 'USDG', amount: 0.5 }
const BUILD: StepInput = { op: 'build', as: 'swap', key: 'one', sender: 'alice', body: ETH_TO_USDG }
const DEEP: readonly StepInput[] = [
  BUILD,
  { op: 'send', build: 'swap', as: 'tx' },
  { op: 'mine', blocks: 12 },
]
const CONFIRM: StepInput = { op: 'confirm', key: 'one', build: 'swap', tx: 'tx' }

describe('a script', () => {
  it('logs responses, hashes and blocks, step by step', async () => {
    const { log, builds, reports } = await runSteps(world, [...DEEP, CONFIRM])
    expect(log.map(({ path, op }) => `${path} ${op}`)).toEqual(['0 build', '1 send', '2 mine', '3 confirm'])
    expect(log[1]?.sent).toEqual([{ name: 'tx', hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) }])
    expect(BigInt(log[2]?.head.number ?? 0) - BigInt(log[1]?.head.number ?? 0)).toBe(12n)
    expect(log[3]?.answers).toEqual([
      {
        status: 200,
        headers: expect.objectContaining({ 'content-type': expect.stringContaining('application/json') }),
        body: '{"recorded":true,"alreadyRecorded":false}',
      },
    ])
    expect(builds.size).toBe(1)
    expect(reports).toHaveLength(1)
  })

  it('runs the same with the same seed, and returns other ids with another', async () => {
    const first = await runSteps(world, [...DEEP, CONFIRM])
    await world.reset(7)
    const second = await runSteps(world, [...DEEP, CONFIRM])
    await world.reset(8)
    const other = await runSteps(world, [...DEEP, CONFIRM])
    expect(second.log).toEqual(first.log)
    expect(other.log.map(({ head }) => head)).toEqual(first.log.map(({ head }) => head))
    expect([...other.builds.keys()]).not.toEqual([...first.builds.keys()])
  })

  it('runs steps during a request, and logs them before the request', async () => {
    const { log, reports } = await runSteps(world, [
      ...DEEP,
      { op: 'meanwhile', trip: 0, when: 'after', steps: [{ op: 'reorg', depth: 12 }] },
      CONFIRM,
    ])
    expect(log.map(({ path }) => path)).toEqual(['0', '1', '2', '3', '4/0', '4'])
    expect(log.at(-1)?.answers[0]?.status).toBe(202)
    // After, before, and in between, when the transaction was in no block.
    expect(reports[0]?.moments.map(({ transactions, txHash }) => transactions.get(txHash)?.state)).toEqual([
      'unknown',
      'mined',
      undefined,
    ])
  })
})

describe('a failing step', () => {
  it('names its index, the expected and the actual value', async () => {
    await expect(
      runSteps(world, [BUILD, { op: 'quote', key: 'one', query: ETH_TO_USDG, expect: { status: 422 } }]),
    ).rejects.toMatchObject({
      name: 'ExpectationError',
      path: '1',
      expected: 'status 422',
      actual: expect.stringMatching(/^200 \{"route"/),
    })
    await expect(
      runSteps(world, [{ ...BUILD, expect: { status: 200, body: { 'attribution.confirmations': 13 } } }]),
    ).rejects.toMatchObject({ expected: 'attribution.confirmations 13', actual: '12' })
    await expect(
      runSteps(world, [{ ...BUILD, expect: { status: 200, headers: ['retry-after'] } }]),
    ).rejects.toMatchObject({ expected: 'a header retry-after', actual: 'none' })
  })

  it('fails when a transaction is not in the state that `look` expects', async () => {
    await expect(
      runSteps(world, [...DEEP, { op: 'look', tx: 'tx', state: 'reverted' }]),
    ).rejects.toMatchObject({
      name: 'ExpectationError',
      path: '3',
      expected: 'tx reverted',
      actual: 'succeeded',
    })
  })

  it('is a StepError when it is malformed, or uses an unknown name', async () => {
    await expect(runSteps(world, [BUILD, { op: 'mine', blocks: 0 }])).rejects.toMatchObject({
      name: 'StepError',
      path: '1',
    })
    await expect(runSteps(world, [{ op: 'send', build: 'nothing', as: 'tx' }])).rejects.toThrow(
      'step 0 (send): there is no build "nothing"',
    )
    await expect(runSteps(world, [BUILD, { op: 'approve', build: 'swap' }])).rejects.toThrow(
      'step 1 (approve): the build needs no approval',
    )
  })

  it('is a StepError when the request makes fewer round trips than planned', async () => {
    await expect(
      runSteps(world, [
        { op: 'meanwhile', trip: 9, when: 'before', steps: [] },
        { op: 'quote', key: 'one', query: ETH_TO_USDG },
      ]),
    ).rejects.toThrow('step 1 (quote): the request made 1 round trips')
  })
})

describe('planned faults', () => {
  it('strike after those that they let pass, and no longer than planned', async () => {
    const { log, unmetFaults } = await runSteps(world, [
      ...DEEP,
      { op: 'store-fault', kind: 'down', skip: 1, calls: 2, method: 'findBuild' },
      CONFIRM,
      { op: 'mine', blocks: 1 },
      CONFIRM,
      CONFIRM,
      CONFIRM,
    ])
    const statuses = log.filter(({ op }) => op === 'confirm').map(({ answers }) => answers[0]?.status)
    expect(statuses).toEqual([200, 503, 503, 200])
    expect(unmetFaults).toBe(0)
  })

  it('are counted when they never strike, healed or not', async () => {
    const { unmetFaults } = await runSteps(world, [
      { op: 'line-fault', kind: 'down', trips: 1 },
      { op: 'heal' },
      { op: 'store-fault', kind: 'down', calls: 1 },
    ])
    expect(unmetFaults).toBe(2)
  })
})
