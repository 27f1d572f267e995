import type { RpcReply } from '../../service/testing.ts'
import type { Manifest } from '../../spec/manifest.ts'
import type { VenueId } from '../../spec/venues.ts'
import { untilQuiet } from '../run/quiescence.ts'
import type { LineFault } from '../world/chain.ts'
import { laggingNode, type NodeView } from '../world/nodeView.ts'
import type { World } from '../world/world.ts'
import type { FAULTS, LineFaultKind } from './faults.ts'

/** Longer than any timeout. */
const FOREVER_MS = 24 * 60 * 60 * 1_000

/** Part of the line that a fault affects: calls that name a venue or an account, or all requests but the first. */
type Scope = VenueId | 'alice' | 'later'
type PlainKind<Kind> = Exclude<Kind, `${string}-${Scope}`>

/** Parameters of some faults. */
interface Details {
  readonly delayMs: number
  readonly lagBlocks: number
  /** Number of the block on which the world begins. */
  readonly oldestBlock: bigint
  /** The node on the branch that the last reorganisation orphaned. */
  readonly abandoned: NodeView | null
}

/** The error of a node that rejects every request: no call reverts with it (JSON-RPC 2.0, section 5.1). */
export const NODE_ERROR = { code: -32603, message: 'internal error' } as const

/** The effect of each fault on a round trip of a service in this process. */
const LINE_FAULTS: Readonly<Record<PlainKind<keyof typeof FAULTS.line>, (details: Details) => LineFault>> = {
  down: () => ({ kind: 'down' }),
  'answer-lost': () => ({ kind: 'answer-lost' }),
  rubbish: () => replaceEach({ ok: true, result: 'rubbish' }),
  refused: () => replaceEach({ ok: false, ...NODE_ERROR }),
  delay: ({ delayMs }) => ({ kind: 'delay', delayMs }),
  'rate-limited': () => ({ kind: 'rate-limited' }),
  lag: ({ lagBlocks, oldestBlock }) => ({ kind: 'stale', view: laggingNode(lagBlocks, oldestBlock) }),
  abandoned: ({ abandoned }) => {
    if (abandoned === null) throw new RangeError('no branch has been abandoned yet')
    return { kind: 'stale', view: abandoned }
  },
  repeated: () => ({ kind: 'repeated' }),
  shuffled: () => ({ kind: 'shuffled' }),
  doubled: () => ({ kind: 'doubled' }),
  hanging: () => ({ kind: 'delay', delayMs: FOREVER_MS }),
}

/**
 * Returns the effect of a fault on a round trip.
 *
 * @throws {RangeError} `abandoned`, and no branch has been abandoned yet.
 */
export function lineFault(
  kind: keyof typeof LINE_FAULTS,
  { delayMs = 0, lagBlocks = 0, oldestBlock = 0n, abandoned = null }: Partial<Details> = {},
): LineFault {
  return LINE_FAULTS[kind]({ delayMs, lagBlocks, oldestBlock, abandoned })
}

/** Returns the kind without the part of the line that it affects. */
export function withoutScope(kind: LineFaultKind): PlainKind<LineFaultKind> {
  return kind.replace(/-(venue_[a-f]|alice|later)$/, '') as PlainKind<LineFaultKind>
}

/**
 * Returns whether the fault affects a request.
 *
 * @param calls its calls, as JSON: those of one venue or account name its address, as their target or in their data.
 * @param earlier number of requests before it since the fault was injected.
 */
export function concernsRequest(
  manifest: Manifest,
  kind: LineFaultKind,
  calls: () => string,
  earlier: number,
): boolean {
  if (kind.endsWith('-later')) return earlier > 0
  const named =
    manifest.venues.find(({ id }) => kind.endsWith(`-${id}`)) ??
    manifest.accounts.find(({ name }) => kind.endsWith(`-${name}`))
  return named === undefined || calls().toLowerCase().includes(named.address.slice(2).toLowerCase())
}

/**
 * Injects a fault into the world's line, until its hooks are replaced. While the service only waits for a response that never
 * comes, the world's clock advances to its next timer, so that the service's own timeout ends the wait.
 */
export function injectLineFault(world: World, kind: LineFaultKind): void {
  const { line, life, clock, manifest } = world
  const fault = lineFault(withoutScope(kind))
  let driving = false
  let requests = 0
  const drive = async (): Promise<void> => {
    driving = true
    while (line.waiting > 0) {
      await untilQuiet(
        () => life.moves,
        () => line.sending > 0,
      )
      const dueMs = clock.nextTimerMs()
      if (line.waiting > 0 && dueMs !== null) clock.advanceTo(dueMs)
    }
    driving = false
  }
  line.hooks = {
    decide: (calls) => {
      requests += 1
      return concernsRequest(manifest, kind, () => JSON.stringify(calls), requests - 1) ? fault : null
    },
    held: () => {
      if (!driving) void drive()
    },
  }
}

function replaceEach(reply: RpcReply): LineFault {
  return { kind: 'replace', replies: (replies) => replies.map(() => reply) }
}
