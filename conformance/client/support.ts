import { formatUnits } from 'viem'
import type { ClientChain } from '../../src/client/clientChain.ts'
import type { ClientRecord } from '../../src/client/clientLog.ts'
import { NAMED_FAULTS, type NamedFault } from '../../src/client/namedFaults.ts'
import type { NodeFault } from '../../src/client/nodeLine.ts'
import type { ServiceFault } from '../../src/client/serviceLine.ts'
import type { AccountName } from '../../src/fixtures/accounts.ts'
import {
  type ClientIntent,
  describeEnding,
  judgeClient,
  type ObservedClient,
  type RoledTransaction,
  rolesOf,
} from '../../src/oracles/index.ts'
import { assertVerdicts } from '../../src/runner/cases/assertVerdicts.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import { GOAL_SCHEMA, type Goal, type GoalToken } from '../../src/spec/goal.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { BlamedError } from '../../src/targets/blame.ts'
import type { KeyName, With } from '../../src/targets/environment/environment.ts'
import { attach } from '../../src/targets/evidence/evidence.ts'

/** The parts of the environment that a case of a client uses: the client, and control of its chain. */
export type ClientEnvironment = With<'program' | 'control'>

/** A goal of a case; tokens by their symbols. */
export interface GoalOf extends Partial<Omit<Goal, 'from' | 'to' | 'amount'>> {
  readonly from: string
  readonly to: string
  readonly amount: string
}

/** One case for clients. */
export interface ClientCase {
  readonly title: string
  readonly requirements: readonly RequirementId[]
  readonly goal: GoalOf
  /** Default: it must be done. */
  readonly intent?: ClientIntent
  /** Default: the first key of the fixtures. */
  readonly key?: KeyName
  /** Default: alice. */
  readonly account?: AccountName
  /** The chain of which the node says that it is. Default: the one that it is of. */
  readonly nodeChainId?: number
  /** About how long the client waits for blocks and pauses, in seconds. Default: 2.5. */
  readonly waitsS?: number
  /** Prepares the pools before the client starts. */
  readonly prepare?: (environment: ClientEnvironment) => Promise<void>
  readonly faults?: (
    chain: ClientChain,
    environment: ClientEnvironment,
    restart: () => Promise<void>,
  ) => Faults
}

/** Returns the faults of the service that have this name. @param after how many requests pass before; default: as the fault says. */
export const named = (name: keyof typeof NAMED_FAULTS, after?: number): NonNullable<ClientCase['faults']> => {
  const { faults }: NamedFault = NAMED_FAULTS[name]
  return () => ({ service: after === undefined ? faults : faults.map((fault) => ({ ...fault, after })) })
}

/** Returns the title and the faults of the service of this name. */
export const faulty = (name: keyof typeof NAMED_FAULTS) => ({
  title: NAMED_FAULTS[name].title,
  faults: named(name),
})

interface Faults {
  readonly service?: readonly ServiceFault[]
  readonly node?: readonly NodeFault[]
}

/** Default time limit of a client in seconds, with a block each second. */
const TIMEOUT_S = 60

/** For one that does its part at once, where blocks come each second. */
const WAITS_S = 2.5

/** USDG to DUSD, which all venues trade. */
export const TOKENS = { from: 'USDG', to: 'DUSD', amount: '250.5' } as const
/** ETH to USDG: nothing is approved. */
export const NATIVE = { from: 'ETH', to: 'USDG', amount: '0.3' } as const
const RECIPIENT = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
export const FEE = { partnerFeeBps: 25, partnerFeeRecipient: RECIPIENT } as const

export const DONE = { mustBe: 'done' } as const
/** Nothing is sent, once the client has got what it must refuse. */
export const refusing = (
  refuses: NonNullable<ClientIntent['refuses']>,
  ...clauses: readonly RequirementId[]
) => ({ mustBe: 'not-swapped', refuses, clauses }) as const
export const NOT_DONE = { mustBe: 'not-done' } as const
export const HONEST = { mustBe: 'honest' } as const
export const ANYTHING = { mustBe: 'anything' } as const

/** A case for clients, with what it asks of one. */
export interface TaskedCase extends Case<'program' | 'control'> {
  /** Returns the goal in the tokens of a world, but for the time that it gives. */
  goalIn(world: Tokens): Omit<Goal, 'timeoutS'>
  readonly intent: ClientIntent
}

/** Returns cases by their ids: each runs the client once, and judges all that it did. */
export function clientCases(rows: Readonly<Record<string, ClientCase>>): readonly TaskedCase[] {
  return Object.entries(rows).map(([id, row]) => ({
    ...{ id: `client.${id}`, title: row.title, requirements: row.requirements },
    goalIn: (world) => goalIn(world, row.goal),
    intent: row.intent ?? DONE,
    uses: ['program', 'control'],
    waitsS: row.waitsS ?? WAITS_S,
    run: async (environment) => {
      await row.prepare?.(environment)
      const { faults, account = 'alice', key = 'one', nodeChainId, intent = DONE } = row
      const record = await environment.program.run({
        ...{
          name: `client.${id}`,
          goal: goalOf(environment, row.goal),
          apiKey: environment.secret(key),
          account,
          ...(nodeChainId === undefined ? {} : { nodeChainId }),
        },
        ...(faults === undefined
          ? {}
          : {
              faults: (chain: ClientChain, restart: () => Promise<void>) =>
                faults(chain, environment, restart),
            }),
      })
      attach(record)
      environment.recording?.ended(record, intent)
      const { observed } = record
      const notes = notesOf(record)
      assertVerdicts(judgeClient(observed, intent), undefined, undefined, notes)
      if (!didAnything(observed)) throw new NothingSentError(record)
      return { exercised: 1, notes }
    },
  }))
}

/** A client ended without a request and without a word. */
class NothingSentError extends BlamedError {
  override readonly name = 'NothingSentError'
  constructor({ observed, printedLast }: ClientRecord) {
    super(
      'target',
      'a client that sends a request, or says why it does not swap',
      `it sent nothing: ${describeEnding(observed)}${printedLast === '' ? '' : `\nit printed last:\n${printedLast}`}`,
      'Fix what keeps it from its first request; until then this case proves nothing.',
    )
  }
}

/** Returns whether a client did something that can be judged: one that ends at once keeps every duty not to do something. */
const didAnything = ({ requests, transactions, reason }: ObservedClient) =>
  requests.length > 0 || transactions.length > 0 || reason !== null

/** Returns a goal with the tokens of the sandbox. */
export function goalOf({ manifest, program }: ClientEnvironment, goal: GoalOf): Goal {
  const { timeoutS = TIMEOUT_S } = goal
  return { ...goalIn(manifest, goal), timeoutS: Math.ceil(timeoutS * program.timeScale) }
}

/** The tokens of a world, by whether the registry of the service has them. */
type Tokens = Readonly<
  Record<'registry' | 'otherTokens', readonly Pick<GoalToken, 'symbol' | 'address' | 'decimals'>[]>
>

function goalIn(world: Tokens, { from, to, timeoutS: _, ...rest }: GoalOf): Omit<Goal, 'timeoutS'> {
  return { schema: GOAL_SCHEMA, from: token(world, from), to: token(world, to), ...rest }
}

function token({ registry, otherTokens }: Tokens, symbol: string): GoalToken {
  const listed = registry.find((each) => each.symbol === symbol)
  const found = listed ?? otherTokens.find((each) => each.symbol === symbol)
  if (found === undefined) throw new RangeError(`the world has no token ${symbol}`)
  const isNative = /^0x0+$/.test(found.address)
  return {
    ...{ symbol, decimals: found.decimals, inRegistry: listed !== undefined },
    address: isNative ? 'native' : found.address,
  }
}

/** Returns what a client did in some lines: its requests, its transactions by role, and what its account gained and lost. */
function notesOf({ observed, printedLast }: ClientRecord): readonly string[] {
  const { starts, requests, balances } = observed
  const show = ({ role, hash, mined }: RoledTransaction) =>
    `${role.name} ${hash.slice(0, 10)} (${mined === null ? 'not mined' : mined.succeeded ? 'mined' : 'reverted'})`
  const statuses = requests.map(
    ({ endpoint, response }) => `${endpoint} ${response?.status ?? 'without a response'}`,
  )
  return [
    `${describeEnding(observed)}, after ${starts === 1 ? 'one start' : `${starts} starts`}`,
    `requests: ${statuses.join(', ') || 'none'}`,
    `transactions: ${rolesOf(observed).map(show).join(', ') || 'none'}`,
    ...(printedLast === '' ? [] : [`it printed last:\n${printedLast}`]),
    ...balances.map(({ symbol, decimals, beforeRaw, afterRaw }) => {
      const [before, after] = [formatUnits(beforeRaw, decimals), formatUnits(afterRaw, decimals)]
      const change = formatUnits(afterRaw - beforeRaw, decimals)
      return `${symbol}: ${before} before, ${after} after: ${afterRaw < beforeRaw ? '' : '+'}${change}`
    }),
  ]
}
