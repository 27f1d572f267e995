import { split } from '../../../src/simulation/seed.ts'
import type { StoreKind } from '../setup/databases.ts'

/** Names of the attacks in the figures. */
export const ATTACKS = {
  service: 'SIGKILL of one process of the service',
  services: 'SIGKILL of both processes of the service at once',
  /** The transaction deletes everything. */
  writer: 'SIGKILL of a process that holds the write lock in a transaction',
  /** The server is then started again. */
  postmaster: 'SIGKILL of the PostgreSQL server',
  /** PostgreSQL then ends all other connections and recovers. */
  backend: "SIGKILL of one connection's process of PostgreSQL",
  terminate: '`pg_terminate_backend` for every connection of the service',
  restart: 'restart of PostgreSQL',
} as const
export type Attack = keyof typeof ATTACKS

export interface PlannedAttack {
  readonly attack: Attack
  /** Time since the previous attack. */
  readonly delayMs: number
  /** Index of the process of the service, for `service`. */
  readonly process: 0 | 1
  /** True if the attack waits until the service has recovered from the previous one. */
  readonly afterRecovery: boolean
  /** Time that `writer` may work before it is killed. */
  readonly lifeMs: number
}

/** Relative frequencies of the attacks. */
const WEIGHTS: Readonly<Record<StoreKind, Readonly<Partial<Record<Attack, number>>>>> = {
  file: { service: 11, services: 3, writer: 4 },
  postgres: { service: 7, services: 2, postmaster: 5, backend: 4 },
}
/** Attacks without SIGKILL, not counted as kills: one of them follows every fourth kill of PostgreSQL. */
const GENTLE: readonly Attack[] = ['terminate', 'restart', 'terminate']
const GENTLE_EVERY = 4
const DELAY_MAX_MS = 1_200
const LIFE_MAX_MS = 400

/** Returns the attacks of a run: `kills` with SIGKILL, and the others between them. Equal arguments give equal plans. */
export function planAttacks(seed: number, kills: number, store: StoreKind): readonly PlannedAttack[] {
  const stream = split(seed, `torture ${store}`)
  const weighted = Object.entries(WEIGHTS[store]).flatMap(([attack, weight]) =>
    Array.from({ length: weight }, () => attack as Attack),
  )
  const planOf = (attack: Attack): PlannedAttack => ({
    attack,
    delayMs: stream.int(0, DELAY_MAX_MS),
    process: stream.pick([0, 1] as const),
    afterRecovery: stream.chanceBps(7_500),
    lifeMs: stream.int(0, LIFE_MAX_MS),
  })
  return Array.from({ length: kills }, (_, kill) => {
    const attack = planOf(stream.pick(weighted))
    const isGentleNext = store === 'postgres' && kill % GENTLE_EVERY === GENTLE_EVERY - 1
    return isGentleNext ? [attack, planOf(stream.pick(GENTLE))] : [attack]
  }).flat()
}

export function isKill(attack: Attack): boolean {
  return attack !== 'terminate' && attack !== 'restart'
}
