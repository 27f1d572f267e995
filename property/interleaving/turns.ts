import { AsyncContext } from '../../src/host/asyncContext.ts'
import { HarnessError } from '../../src/runner/harnessError.ts'
import type { World } from '../../src/simulation/world/world.ts'
import type { ObservedDeed } from './model.ts'

/** An actor whose work is divided into turns: up to the next call of the service to its chain, or to its end. */
interface Actor {
  readonly name: string
  /** Resolves to the response. */
  readonly work: () => Promise<string>
  /** True if the work is not a request to the service: it takes a single turn, however long that lasts. */
  readonly atomic?: boolean
}

/**
 * Time that an actor may be silent in its turn before another actor gets one, in round trips to the node. Time in which a call
 * of the service is on its way to the node does not count.
 */
const PATIENCE = 40

interface Running {
  readonly actor: Actor
  state: 'waiting' | 'acting' | 'done'
  /** Resumes the actor; null before its first turn. */
  go: (() => void) | null
  firstTurn: number
  lastTurn: number
  answer: string
  error: unknown
}

/**
 * Runs the actors one at a time: each entry of `order` gives that actor one turn. Actors that are not done when the order ends
 * get the remaining turns, in the order given. The same order always gives the same run.
 *
 * @returns the response to each actor with the turns between which it ran, and all turns as they were actually taken.
 * @throws {HarnessError} if the actors are stuck. Also throws the errors of the actors' work.
 */
export async function takeTurns(
  world: World,
  actors: readonly Actor[],
  order: readonly string[],
): Promise<{ readonly acted: readonly Omit<ObservedDeed, 'deed'>[]; readonly taken: readonly string[] }> {
  const current = new AsyncContext<Running>()
  const all = actors.map(
    (actor): Running => ({
      actor,
      state: 'waiting',
      go: null,
      firstTurn: -1,
      lastTurn: -1,
      answer: '',
      error: null,
    }),
  )
  const taken: string[] = []
  world.line.hooks = {
    before: () => {
      const running = current.value
      if (running === undefined) return Promise.resolve()
      return new Promise((resolve) => {
        running.state = 'waiting'
        running.go = resolve
      })
    },
  }
  const begin = async (running: Running): Promise<void> => {
    try {
      running.answer = await current.run(running, running.actor.work)
    } catch (error) {
      running.error = error
    }
    running.state = 'done'
  }
  const act = async (running: Running): Promise<void> => {
    if (running.firstTurn === -1) running.firstTurn = taken.length
    running.lastTurn = taken.length
    taken.push(running.actor.name)
    running.state = 'acting'
    const { go } = running
    running.go = null
    if (go === null) void begin(running)
    else go()
    for (let waited = 0; running.state === 'acting' && (running.actor.atomic || waited < PATIENCE); ) {
      await world.sandbox.rpc.request('eth_chainId')
      if (world.line.sending === 0) waited += 1
    }
  }
  const ready = ({ state }: Running) => state === 'waiting'
  try {
    for (const name of order) {
      const next = all.find((running) => running.actor.name === name && ready(running))
      if (next !== undefined) await act(next)
    }
    while (all.some(({ state }) => state !== 'done')) {
      const next = all.find(ready)
      if (next === undefined) {
        await waitForAny(world, all)
        continue
      }
      await act(next)
    }
  } finally {
    world.line.hooks = {}
  }
  for (const { error } of all) if (error !== null) throw error
  return {
    taken,
    acted: all.map(({ actor: { name }, answer, firstTurn, lastTurn }) => ({
      name,
      answer,
      firstTurn,
      lastTurn,
    })),
  }
}

/** @throws {HarnessError} if no actor makes progress. */
async function waitForAny(world: World, all: readonly Running[]): Promise<void> {
  const states = () => all.map(({ state }) => state).join()
  const before = states()
  for (let waited = 0; waited < 10 * PATIENCE; ) {
    if (states() !== before) return
    await world.sandbox.rpc.request('eth_chainId')
    if (world.line.sending === 0) waited += 1
  }
  const names = all.filter(({ state }) => state === 'acting').map(({ actor }) => actor.name)
  throw new HarnessError(
    `no progress: ${names.join(', ')} wait for each other`,
    'See what their requests share.',
  )
}

/** Returns every order in which actors can take these numbers of turns. */
export function everyOrder(turns: Readonly<Record<string, number>>): readonly (readonly string[])[] {
  const names = Object.keys(turns).filter((name) => (turns[name] ?? 0) > 0)
  if (names.length === 0) return [[]]
  return names.flatMap((name) =>
    everyOrder({ ...turns, [name]: (turns[name] ?? 0) - 1 }).map((rest) => [name, ...rest]),
  )
}
