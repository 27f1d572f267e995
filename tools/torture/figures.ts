import type { StoreKind } from '../deployment/databases.ts'
import type { Figures } from '../deployment/figures.ts'
import type { Attack } from './plan.ts'
import type { TortureOptions, TortureResult } from './torture.ts'

const NAMES: Readonly<Record<Attack, string>> = {
  service: 'SIGKILL of one process of the service',
  services: 'SIGKILL of both processes of the service at once',
  writer: 'SIGKILL of a process that holds the write lock in a transaction',
  postmaster: 'SIGKILL of the PostgreSQL server',
  backend: "SIGKILL of one connection's process of PostgreSQL",
  harness: 'SIGKILL of a run of `plumbline conform --start`',
  terminate: '`pg_terminate_backend` for every connection of the service',
  restart: 'restart of PostgreSQL',
}

/** Returns the rows of the table for a reader. */
export function figuresOf(
  store: StoreKind,
  { seed, kills, clients }: Pick<TortureOptions, 'seed' | 'kills' | 'clients'>,
  result: TortureResult,
): Figures {
  return {
    command: `npm run torture -- --store ${store} --kills ${kills} --clients ${clients} --seed ${seed}`,
    rows: rowsOf(result),
  }
}

/** Returns the same rows as plain text. */
export function summaryOf(store: StoreKind, seed: number, result: TortureResult): string {
  const lines = rowsOf(result).map(([what, figure]) => `  ${what}: ${figure}`)
  return [`torture of the store ${store}, seed ${seed}`, ...lines].join('\n')
}

function rowsOf(result: TortureResult): readonly (readonly [string, string])[] {
  const number = (value: number) => value.toLocaleString('en')
  const requests = Object.entries(result.requests)
  const sum = (matching: (name: string) => boolean) =>
    number(requests.reduce((total, [name, count]) => (matching(name) ? total + count : total), 0))
  return [
    ...Object.entries(result.attacks).map(
      ([attack, times]) => [NAMES[attack as Attack], number(times)] as const,
    ),
    ['SIGKILLs in all', number(result.kills)],
    ['duration', `${number(result.durationS)} s`],
    ['requests', sum(() => true)],
    ['requests without an answer', sum((name) => name.endsWith(' none'))],
    ['requests answered 502 or 503', sum((name) => / 50[23]$/.test(name))],
    ['builds answered', number(result.buildsAnswered)],
    ['builds stored whose answer did not arrive', number(result.buildsUnanswered)],
    ['swaps sent to the chain', number(result.swaps)],
    ['swaps credited', number(result.recorded)],
    ['findings of the independent count', number(result.findings.length)],
  ]
}
