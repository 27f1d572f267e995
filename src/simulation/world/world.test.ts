import { afterAll, beforeAll, expect, it } from 'vitest'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { runSteps } from '../run/interpreter.ts'
import type { StepInput } from '../steps/steps.ts'
import { createWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ seed: 1 })
})
afterAll(() => world.stop())

const SELL = { from: 'ETH', to: 'USDG', amount: 0.5 }

/** One credited swap, with a reorganisation and a restart on the way; then the key's totals. */
const STORY: readonly StepInput[] = [
  { op: 'quote', key: 'one', query: SELL },
  { op: 'build', as: 'swap', key: 'one', sender: 'alice', body: SELL, expect: { status: 200 } },
  { op: 'send', build: 'swap', as: 'tx' },
  { op: 'mine', blocks: 3 },
  { op: 'reorg', depth: 3 },
  { op: 'resend', tx: 'tx' },
  { op: 'restart' },
  { op: 'mine', blocks: 13 },
  { op: 'confirm', key: 'one', build: 'swap', tx: 'tx', expect: { status: 200 } },
  { op: 'report', key: 'one', expect: { status: 200 } },
]

/** Changes all kinds of state: keys, builds, credits, budgets, faults, a memo, pending transactions, time, prices. */
const DISTURBANCE: readonly StepInput[] = [
  { op: 'issue-key', as: 'new', partner: 'somebody', kind: 'individual' },
  { op: 'revoke-key', key: 'two' },
  { op: 'spend-budget', key: 'new', atMost: 100_000 },
  { op: 'fault', venue: 'venue_a', kind: 'no-liquidity' },
  { op: 'move-pool', venue: 'venue_b', from: 'ETH', to: 'USDG', against: 'seller', size: 'large' },
  { op: 'build', as: 'waiting', key: 'one', sender: 'bob', body: SELL, expect: { status: 200 } },
  { op: 'send', build: 'waiting', as: 'left-behind' },
  { op: 'wait', seconds: 5000 },
  { op: 'quote', key: 'one', query: SELL },
  { op: 'line-fault', kind: 'down', trips: 1000 },
  { op: 'store-fault', kind: 'down', calls: 1000 },
]

it('equals a fresh one after a reset, to the byte, after any run and any end of it', async () => {
  const fresh = JSON.stringify((await runSteps(world, STORY)).log)
  expect(fresh).toContain('"confirmedSwaps\\":1')
  await world.reset(1)
  await runSteps(world, DISTURBANCE)
  await world.reset(1)
  expect(JSON.stringify((await runSteps(world, STORY)).log)).toBe(fresh)
  await world.reset(1)
  await expect(runSteps(world, [...STORY.slice(0, 4), { op: 'drop', tx: 'nobody' }])).rejects.toThrow(
    'nobody',
  )
  await world.reset(1)
  expect(JSON.stringify((await runSteps(world, STORY)).log)).toBe(fresh)
})

it('is another under another seed', async () => {
  await world.reset(1)
  const one = await runSteps(world, STORY.slice(0, 2))
  await world.reset(2)
  const two = await runSteps(world, STORY.slice(0, 2))
  expect(JSON.stringify(two.log)).not.toBe(JSON.stringify(one.log))
})

it('is the same with state roots, except for the hashes of its blocks', async () => {
  const plain = async (each: World) => {
    const { log } = await runSteps(each, STORY)
    return log.map((step) => ({ ...step, head: { ...step.head, hash: '' } }))
  }
  const rooted = await createWorld({ seed: 1, stateRoots: true })
  await world.reset(1)
  expect(await plain(world)).toEqual(await plain(rooted))
  await rooted.stop()
})

it('ends its node where the service cannot be started', async () => {
  let isStopped = false
  const start = async (options: Parameters<typeof startSandbox>[0]) => {
    const sandbox = await startSandbox(options)
    return {
      ...sandbox,
      stop: async () => {
        isStopped = true
        await sandbox.stop()
      },
    }
  }
  const broken = new Error('no service')
  const seams = {
    deps: () => {
      throw broken
    },
  }
  await expect(createWorld({ seed: 1, seams, startSandbox: start })).rejects.toBe(broken)
  expect(isStopped).toBe(true)
})
