import { split } from '../../simulation/seed.ts'
import type { World } from '../../simulation/world.ts'
import type { Case } from '../case.ts'
import type { Defect } from './defect.ts'
import type { ProofWorlds } from './lanes.ts'
import { runAgainst } from './runCase.ts'
import { casesOf, isKill } from './trial.ts'

/** A case that kills a defect in one order of the cases and not in another: a bug of the suite. */
interface OtherKill {
  readonly case: string
  readonly defect: string
  /** Whether it kills in the order of the suite; otherwise it kills only in the shuffled one. */
  readonly inSuiteOrder: boolean
}

/** One shuffled order, compared with that of the suite. */
export interface ShuffledOrder {
  readonly seed: number
  readonly defects: number
  /** Kills in this order, all defects together. */
  readonly kills: number
  readonly differences: readonly OtherKill[]
}

export interface OrdersRequest {
  readonly defects: readonly Defect[]
  readonly cases: readonly Case[]
  /** One shuffled order each. */
  readonly seeds: readonly number[]
  /** Runs every case of the suite in each order, and not only those of the requirement with their neighbours. */
  readonly full: boolean
  readonly worlds: ProofWorlds
  readonly onStep: (what: string) => void
}

/**
 * Runs the cases of the requirement that each defect breaks in the order of the suite and in shuffled orders, and compares
 * which of them kill it. In a shuffled order each runs right after the case that the shuffled suite has before it.
 */
export async function compareOrders(request: OrdersRequest): Promise<readonly ShuffledOrder[]> {
  const { defects, cases, seeds, full, worlds, onStep } = request
  const found = await worlds.each(defects, async (world, defect) => {
    const own = new Set(casesOf(defect.breaks, cases))
    const inOrder = await killersIn(world, defect, cases, (one) => own.has(one))
    const orders: ReadonlySet<string>[] = []
    for (const seed of seeds) {
      const order = shuffled(cases, seed)
      const isRun = (one: Case, index: number) => {
        const next = order[index + 1]
        return full || own.has(one) || (next !== undefined && own.has(next))
      }
      orders.push(await killersIn(world, defect, order, isRun))
    }
    onStep(`orders: ${defect.id}`)
    return { defect: defect.id, inOrder, orders }
  })
  return seeds.map((seed, index) => {
    const differences = found.flatMap(({ defect, inOrder, orders }): OtherKill[] => {
      const killers = orders[index] ?? new Set()
      return [
        ...missingFrom(killers, inOrder).map((id) => ({ case: id, defect, inSuiteOrder: true })),
        ...missingFrom(inOrder, killers).map((id) => ({ case: id, defect, inSuiteOrder: false })),
      ]
    })
    const kills = found.reduce((sum, { orders }) => sum + (orders[index]?.size ?? 0), 0)
    return { seed, defects: defects.length, kills, differences }
  })
}

/** So many of these, spread evenly over them. */
export function spread<T>(all: readonly T[], count: number): readonly T[] {
  return all.filter(
    (_one, index) =>
      Math.floor((index * count) / all.length) !== Math.floor(((index - 1) * count) / all.length),
  )
}

async function killersIn(
  world: World,
  defect: Defect,
  order: readonly Case[],
  isRun: (one: Case, index: number) => boolean,
): Promise<ReadonlySet<string>> {
  const killers = new Set<string>()
  for (const one of order.filter(isRun)) {
    const result = await runAgainst(world, one, defect.seams)
    if (isKill(one, result, defect)) killers.add(one.id)
  }
  return killers
}

function shuffled<T>(all: readonly T[], seed: number): readonly T[] {
  const stream = split(seed, 'proof.orders')
  return all
    .map((one) => ({ one, place: stream.uint32() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ one }) => one)
}

const missingFrom = (set: ReadonlySet<string>, all: ReadonlySet<string>) =>
  [...all].filter((id) => !set.has(id))
