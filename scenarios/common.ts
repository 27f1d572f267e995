import type { Scenario } from '../src/runner/scenario.ts'
import type { StepInput } from '../src/simulation/steps.ts'

type Steps = Scenario['steps']
type Build = Extract<StepInput, { op: 'build' }>
type Confirm = Extract<StepInput, { op: 'confirm' }>

/** Alice sells half an ETH: one transaction, nothing to approve, no fee. */
export const SELL_ETH = { from: 'ETH', to: 'USDG', amount: 0.5 } as const
/** The maker's price does not depend on what was traded, so equal requests give equal calldata at any time. */
export const SELL_ETH_TO_MAKER = { ...SELL_ETH, preferEngine: 'venue_f' } as const
/** The pair that all six venues trade. */
export const SELL_DOLLARS = { from: 'USDG', to: 'DUSD', amount: 1_000 } as const

/** A build by Alice under key `one`, known as `as`. */
export function build(as: string, body: Build['body'] = SELL_ETH, key = 'one'): Build {
  return { op: 'build', as, key, sender: 'alice', body, expect: { status: 200 } }
}

/** The same swap, when what the service needs for it is away. */
export const LOST_BUILD: Build = {
  op: 'build',
  as: 'lost',
  key: 'one',
  sender: 'alice',
  body: SELL_ETH,
  expect: { status: 502, body: { error: 'build failed' } },
}

type Expected = NonNullable<Confirm['expect']>
/** What confirm answers at first, again, and not yet. */
export const RECORDED: Expected = { status: 200, body: { recorded: true, alreadyRecorded: false } }
export const RECORDED_BEFORE: Expected = { status: 200, body: { recorded: true, alreadyRecorded: true } }
export const PENDING: Expected = { status: 202, headers: ['retry-after'] }
export const REFUSED: Expected = { status: 422 }
export const TAKEN: Expected = { status: 409 }
export const UNAVAILABLE: Expected = { status: 503 }

/** A report of `tx` for `build` under key `one`. */
export function report(
  build: string,
  tx: string,
  expect: Expected,
  more: Partial<Pick<Confirm, 'key' | 'exercises'>> = {},
): Confirm {
  return { op: 'confirm', key: 'one', build, tx, expect, ...more }
}

/** One swap of build `swap`, mined and then as deep as any way of counting asks for. */
export const SENT_AND_DEEP: Steps = [
  { op: 'send', build: 'swap', as: 'tx' },
  { op: 'mine', blocks: 13 },
  { op: 'look', tx: 'tx', state: 'succeeded' },
]
