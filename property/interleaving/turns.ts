import { AsyncContext } from '../../src/host/asyncContext.ts'
import { HarnessError } from '../../src/runner/harnessError.ts'
import type { World } from '../../src/simulation/world/world.ts'

/** Somebody whose work is cut into turns: up to the next call of the service to its chain, or to its end. */
export interface Actor<Result> {
  readonly name: string
  readonly work: () => Promise<Result>
  /** It is no request of the service: its one turn ends with it, however long it takes. */
  readonly atomic?: boolean
}

/** Describes what an actor came to, and between which turns it ran. Turns count from 0. */
export interface Acted<Result> {
  readonly name: string
  readonly result: Result
  readonly firstTurn: number
  readonly lastTurn: number
}

/**
 * How long an actor that has a turn may be silent, in round trips to the node, before another one gets its turn. What the
 * service has on its way to the node is waited for, however long it takes, and counts for nothing.
 */
const PATIENCE = 40

interface Running<Result> {
  readonly actor: Actor<Result>
  state: 'waiting' | 'acting' | 'done'
  /** Lets it go on from where it waits; null before its first turn. */
  go: (() => void) | null
  firstTurn: number
  lastTurn: number
  result: Result | null
  error: unknown
}

/**
 * Runs the actors one at a time: each entry of `order` gives that actor one turn. Whoever is not done when the order
 * ends gets the turns that are left, in the order given. One order gives one run, whatever the machine does.
 *
 * @returns what each came to, and the turns as they were really taken.
 * @throws {HarnessError}; what an actor's work throws.
 */
export async function takeTurns<Result>(
  world: World,
  actors: readonly Actor<Result>[],
  order: readonly string[],
): Promise<{ readonly acted: readonly Acted<Result>[]; readonly taken: readonly string[] }> {
  const current = new AsyncContext<Running<Result>>()
  const all = actors.map(
    (actor): Running<Result> => ({
      actor,
      state: 'waiting',
      go: null,
      firstTurn: -1,
      lastTurn: -1,
      result: null,
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
  const begin = (running: Running<Result>) => {
    const finish = () => {
      running.state = 'done'
    }
    current
      .run(running, running.actor.work)
      .then((result) => {
        running.result = result
      })
      .catch((error: unknown) => {
        running.error = error
      })
      .then(finish)
  }
  const act = async (running: Running<Result>): Promise<void> => {
    if (running.firstTurn === -1) running.firstTurn = taken.length
    running.lastTurn = taken.length
    taken.push(running.actor.name)
    running.state = 'acting'
    const { go } = running
    running.go = null
    if (go === null) begin(running)
    else go()
    for (let waited = 0; running.state === 'acting' && (running.actor.atomic || waited < PATIENCE); ) {
      await world.sandbox.rpc.request('eth_chainId')
      if (world.line.sending === 0) waited += 1
    }
  }
  const ready = ({ state }: Running<Result>) => state === 'waiting'
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
    acted: all.map(({ actor, result, firstTurn, lastTurn }) => ({
      name: actor.name,
      result: result as Result,
      firstTurn,
      lastTurn,
    })),
  }
}

/** @throws {HarnessError} nothing moves any more. */
async function waitForAny<Result>(world: World, all: readonly Running<Result>[]): Promise<void> {
  const states = () => all.map(({ state }) => state).join()
  const before = states()
  for (let waited = 0; waited < 10 * PATIENCE; ) {
    if (states() !== before) return
    await world.sandbox.rpc.request('eth_chainId')
    if (world.line.sending === 0) waited += 1
  }
  throw stuck(all.filter(({ state }) => state === 'acting').map(({ actor }) => actor.name))
}

/** Returns every order in which actors of so many turns can take them. */
export function everyOrder(turns: Readonly<Record<string, number>>): readonly (readonly string[])[] {
  const names = Object.keys(turns).filter((name) => (turns[name] ?? 0) > 0)
  if (names.length === 0) return [[]]
  return names.flatMap((name) =>
    everyOrder({ ...turns, [name]: (turns[name] ?? 0) - 1 }).map((rest) => [name, ...rest]),
  )
}

function stuck(names: readonly string[]): HarnessError {
  return new HarnessError(
    `nobody goes on: ${names.join(', ')} wait for each other`,
    'See what their requests share.',
  )
}
