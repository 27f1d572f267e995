import { ACCOUNTS, type AccountName } from '../../fixtures/accounts.ts'
import type { Rpc } from '../../sandbox/rpc.ts'
import { createWallet, type Wallet } from '../../sandbox/wallet.ts'
import type { DrivenChain } from '../../simulation/world/drivenChain.ts'
import type { Manifest } from '../../spec/manifest.ts'
import type { PartnerReport } from '../../spec/partnerReport.ts'
import type { Capability, Need } from '../../spec/requirements/index.ts'
import type { Redact } from '../../spec/secrets/redact.ts'
import type { LiveChain } from '../chain/liveChain.ts'
import type { ConfirmBudget, TargetKeys } from '../description.ts'
import type { Exchange, Transport } from '../exchange.ts'
import { realTime } from '../realTime.ts'
import { chainProblemOf, type Lane, type Place } from '../session.ts'
import type { Revoker } from '../starting/revoke.ts'
import type { Tap } from '../transports/tap.ts'
import { createLiveClients, type LiveClients, MEMO_OVER_MS } from './clients.ts'
import type { Environment, KeyName, Line, SampleSwaps } from './environment.ts'
import { OutOfReachError } from './environment.ts'
import { createWaits, type Waits } from './waits.ts'
import { shareLine } from './waitTogether.ts'

/** Where a target in real time is, and what is known of it. */
export interface LiveTarget {
  readonly reach: Need
  readonly capabilities: ReadonlySet<Capability>
  readonly confirmBudget: ConfirmBudget | null
  readonly partnerReport: PartnerReport
  readonly samples: SampleSwaps
  readonly manifest: Manifest
  readonly keys: TargetKeys
  readonly transport: Transport
  /** Finds out whether the target is down, where that is in doubt; called on a healthy chain. */
  checkLiveness(): Promise<void>
  /** Takes the keys out of a text. */
  readonly redact: Redact
  /** What the target's clock shows beyond the machine's, in milliseconds. */
  readonly clockAheadMs: number
  /** Null where the profile reaches no chain. */
  readonly rpc: Rpc | null
  /** Null where the profile may not move it. */
  readonly chain: LiveChain | null
  readonly line: Line | null
  readonly revokeKey: Revoker | null
  /** Listens to all of it; null: nobody does. */
  readonly tap: Tap | null
}

/**
 * Returns the one lane of a target in real time: its service cannot be reset, so cases come one after another, but for those that
 * wait under the same fault.
 */
export function liveLane(target: LiveTarget): Lane {
  const { chain, reach } = target
  const waits = createWaits()
  const clients = createLiveClients(target.transport, chain && (() => chain.stateOfHead()), target, waits)
  const line = target.line && countingLine(target.line, waits)
  let transcript: Exchange[] = []
  // Unlike any before, also those of other runs against the same service.
  let turn = BigInt(Math.floor(realTime.nowMs() / 1_000) % 2_000) * 500n
  const begin = async (): Promise<void> => {
    await line?.restore()
    await chain?.begin()
    await target.checkLiveness()
  }
  const environment = (own: Line | null, exchanges: Exchange[], fresh: () => Promise<Environment>) => {
    turn += 1n
    return environmentOf({ ...target, line: own }, clients, waits, exchanges, turn, fresh)
  }
  const { tap } = target
  const start = async (): Promise<Environment> => {
    await begin()
    transcript = []
    return environment(line, transcript, async () => {
      const fresh = await start()
      await tap?.again()
      return fresh
    })
  }
  const enter = async (): Promise<Environment> => {
    const entered = await start()
    await tap?.enter()
    return entered
  }
  const waitedMs = () => waits.take()
  const places = (all: Line, count: number): readonly Place[] => {
    let begun: Promise<void> | null = null
    return shareLine(all, count).map((own) => {
      const exchanges: Exchange[] = []
      const fresh = () => Promise.reject(new OutOfReachError('a fresh start among others that wait', reach))
      return {
        enter: async () => {
          begun ??= begin()
          await begun
          return environment(own, exchanges, fresh)
        },
        transcript: () => exchanges,
        waitedMs,
        leave: own.leave,
      }
    })
  }
  return {
    enter,
    transcript: () => transcript,
    waitedMs,
    chainProblem: async () => (chain === null ? null : chainProblemOf(chain.chain)),
    // What is heard while several cases wait is nobody's.
    ...(line === null || tap?.hearsAll === true ? {} : { together: (count: number) => places(line, count) }),
    ...(tap === null ? {} : { tap }),
  }
}

/** While a fault is on the line, a case waits for what its service makes of it. */
function countingLine(line: Line, waits: Waits): Line {
  let sinceMs: number | null = null
  return {
    inject: async (kind) => {
      await line.inject(kind)
      sinceMs ??= realTime.nowMs()
    },
    restore: async () => {
      if (sinceMs !== null) waits.add('line', realTime.nowMs() - sinceMs)
      sinceMs = null
      await line.restore()
    },
  }
}

function environmentOf(
  target: LiveTarget,
  clients: LiveClients,
  waits: Waits,
  transcript: Exchange[],
  turn: bigint,
  fresh: () => Promise<Environment>,
): Environment {
  const { reach, manifest, rpc, chain, keys, revokeKey } = target
  const clock = { nowMs: () => realTime.nowMs() + target.clockAheadMs }
  const keyOf = (name: KeyName) => {
    const key = keys[name]
    if (key === undefined) throw new OutOfReachError(`the key ${name}`, reach)
    return key
  }
  return {
    capabilities: target.capabilities,
    confirmBudget: target.confirmBudget,
    samples: target.samples,
    manifest,
    transcript,
    clock,
    address: (account) => ACCOUNTS[account].address,
    keys: new Set(
      Object.entries(keys).flatMap(([name, key]) => (key === undefined ? [] : [name as KeyName])),
    ),
    secret: (key) => keyOf(key).secret,
    client: (key = 'one', patience = 'obey-429') =>
      clients.client(key === null ? null : keyOf(key).secret, patience, transcript),
    clientWithSecret: (secret) => clients.client(secret, 'obey-429', transcript),
    pass: (deltaMs) => waits.pass('time', deltaMs),
    unmemoized: async () => ({ slippageBps: clients.unusedSlippageBps() }),
    // The clients wait where the chain changed since the last such quote.
    outlastMemo: () => {},
    endMemo: () => waits.pass('memo', MEMO_OVER_MS),
    // Not waited for ahead of time: the clients wait where a budget is exhausted.
    outlastBudget: async () => {},
    control: rpc === null || chain === null ? null : controlOf(manifest, rpc, chain, clock, turn, waits),
    line: target.line,
    revokeKey: revokeKey === null ? null : (key) => revokeKey(keyOf(key).keyId),
    fresh,
    inside: null,
    recording: target.tap?.ofCase ?? null,
  }
}

function controlOf(
  manifest: Manifest,
  rpc: Rpc,
  chain: LiveChain,
  clock: Environment['clock'],
  turn: bigint,
  waits: Waits,
): DrivenChain {
  const wallets = new Map<AccountName, Wallet>()
  return {
    manifest,
    clock,
    serviceClock: clock,
    sandbox: { rpc, chain: chain.chain },
    wallet: (account) => {
      const known = wallets.get(account)
      if (known !== undefined) return known
      const wallet = createWallet(rpc, chain.chain, ACCOUNTS[account].privateKey, turn)
      wallets.set(account, wallet)
      return wallet
    },
    address: (account) => ACCOUNTS[account].address,
    mine: (count) => chain.mine(count),
    mineAt: (timestampS) => chain.mineAt(timestampS),
    pass: (deltaMs) => waits.pass('time', deltaMs),
  }
}
