import type { RpcReply } from '../../service/testing.ts'
import type { Manifest } from '../../spec/manifest.ts'
import type { VenueId } from '../../spec/venues.ts'
import type { LineFault } from '../chain.ts'
import type { FAULTS, LineFaultKind } from '../faults.ts'
import { laggingNode, type NodeView } from '../nodeView.ts'
import { untilQuiet } from '../quiescence.ts'
import type { World } from '../world.ts'

/** Longer than any timeout. */
const FOREVER_MS = 24 * 60 * 60 * 1_000

type PlainKind<Kind> = Exclude<Kind, `hanging-${VenueId}`>

/** What some faults need to know. */
interface Details {
  readonly delayMs: number
  readonly lagBlocks: number
  /** The node on the branch that the last reorganisation orphaned. */
  readonly abandoned: NodeView | null
}

/** What each fault does to a round trip of a service in this process. */
const LINE_FAULTS: Readonly<Record<PlainKind<keyof typeof FAULTS.line>, (details: Details) => LineFault>> = {
  down: () => ({ kind: 'down' }),
  'answer-lost': () => ({ kind: 'answer-lost' }),
  rubbish: () => replaceEach({ ok: true, result: 'rubbish' }),
  refused: () => replaceEach({ ok: false, code: -32603, message: 'internal error' }),
  delay: ({ delayMs }) => ({ kind: 'delay', delayMs }),
  'rate-limited': () => ({ kind: 'rate-limited' }),
  lag: ({ lagBlocks }) => ({ kind: 'stale', view: laggingNode(lagBlocks) }),
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
 * What a fault does to a round trip.
 *
 * @throws {RangeError} `abandoned`, and no branch has been abandoned yet.
 */
export function lineFault(
  kind: keyof typeof LINE_FAULTS,
  { delayMs = 0, lagBlocks = 0, abandoned = null }: Partial<Details> = {},
): LineFault {
  return LINE_FAULTS[kind]({ delayMs, lagBlocks, abandoned })
}

/** The kind without the venue whose calls alone have the fault. */
export function withoutVenue(kind: LineFaultKind): PlainKind<LineFaultKind> {
  return kind.startsWith('hanging') ? 'hanging' : (kind as PlainKind<LineFaultKind>)
}

/** Whether calls, as JSON, have the fault: those of one venue name its address, as their target or in their data. */
export function concernsCalls(manifest: Manifest, kind: LineFaultKind, calls: () => string): boolean {
  const venue = manifest.venues.find(({ id }) => kind === `hanging-${id}`)
  return venue === undefined || calls().toLowerCase().includes(venue.address.slice(2).toLowerCase())
}

/**
 * Injects a fault into the world's line, until its hooks are replaced. While the service does nothing but wait for an
 * answer that never comes, the world's clock moves on to its next timer: the service's own timeout ends the wait.
 */
export function injectLineFault(world: World, kind: LineFaultKind): void {
  const { line, life, clock, manifest } = world
  const fault = lineFault(withoutVenue(kind))
  let driving = false
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
    decide: (calls) => (concernsCalls(manifest, kind, () => JSON.stringify(calls)) ? fault : null),
    held: () => {
      if (!driving) void drive()
    },
  }
}

function replaceEach(reply: RpcReply): LineFault {
  return { kind: 'replace', replies: (replies) => replies.map(() => reply) }
}
