import { type Stream, split } from '../../src/simulation/seed.ts'
import type { StoreKind } from '../deployment/databases.ts'

/**
 * Describes what is attacked:
 *
 * - `service`: SIGKILL to one process of the service; `services`: to both at the same moment;
 * - `writer`: SIGKILL to a process that holds the file's write lock in the middle of a transaction that deletes everything;
 * - `postmaster`: SIGKILL to the first process of PostgreSQL, which is then started again;
 * - `backend`: SIGKILL to one connection's process of PostgreSQL, which then ends all others and recovers;
 * - `harness`: SIGKILL to a run of `plumbline conform --start`, which must leave nothing behind;
 * - `terminate`, `restart`: `pg_terminate_backend` for every connection of the service; a shutdown and a start.
 */
export type Attack =
  | 'service'
  | 'services'
  | 'writer'
  | 'postmaster'
  | 'backend'
  | 'harness'
  | 'terminate'
  | 'restart'

export interface PlannedAttack {
  readonly attack: Attack
  /** How long after the one before. */
  readonly delayMs: number
  /** Which process of the service, for `service`. */
  readonly process: 0 | 1
  /** True if it waits until the service has recovered from the one before. */
  readonly afterRecovery: boolean
  /** For `harness` and `writer`: how long it may work before it is killed. */
  readonly lifeMs: number
}

/** How often each attack is drawn, as a weight. */
const WEIGHTS: Readonly<Record<StoreKind, Readonly<Partial<Record<Attack, number>>>>> = {
  file: { service: 11, services: 3, writer: 4, harness: 2 },
  postgres: { service: 7, services: 2, postmaster: 5, backend: 4, harness: 2 },
}
/** No SIGKILL, and so not counted as one: each follows after so many of these. */
const GENTLE: Readonly<Record<StoreKind, readonly Attack[]>> = {
  file: [],
  postgres: ['terminate', 'restart', 'terminate'],
}
const GENTLE_EVERY = 4
const DELAY_MAX_MS = 1_200
const LIFE_MAX_MS: Readonly<Partial<Record<Attack, number>>> = { harness: 12_000, writer: 400 }

/** The attacks of a run: `kills` of SIGKILL, and the others between them. Equal arguments give equal plans. */
export function planAttacks(seed: number, kills: number, store: StoreKind): readonly PlannedAttack[] {
  const stream = split(seed, `torture ${store}`)
  const weighted = Object.entries(WEIGHTS[store]).flatMap(([attack, weight]) =>
    Array.from({ length: weight }, () => attack as Attack),
  )
  const gentle = GENTLE[store]
  const plan: PlannedAttack[] = []
  for (let kill = 0; kill < kills; kill += 1) {
    plan.push(drawAttack(stream, stream.pick(weighted)))
    if (gentle.length > 0 && kill % GENTLE_EVERY === GENTLE_EVERY - 1)
      plan.push(drawAttack(stream, stream.pick(gentle)))
  }
  return plan
}

function drawAttack(stream: Stream, attack: Attack): PlannedAttack {
  return {
    attack,
    delayMs: stream.int(0, DELAY_MAX_MS),
    process: stream.pick([0, 1] as const),
    afterRecovery: stream.chanceBps(7_500),
    lifeMs: stream.int(0, LIFE_MAX_MS[attack] ?? 0),
  }
}

/** Returns whether an attack is a SIGKILL. */
export function isKill(attack: Attack): boolean {
  return attack !== 'terminate' && attack !== 'restart'
}
