import { CampaignDatabaseError } from './database/open.ts'
import type { CampaignStatus } from './status.ts'

/** Describes what whoever watches a campaign sees at one moment. */
export interface CampaignSnapshot {
  /** The last one that could be read. */
  readonly status: CampaignStatus
  /** Why the database cannot be read now; null: it can. */
  readonly away: string | null
}

/** Describes how a campaign is watched. */
export interface WatchOptions {
  /** Durations; nothing that is stored depends on them. */
  readonly time: { pass(deltaMs: number): Promise<unknown> }
  readonly isLeaving: () => boolean
  /** Is called after every look, whether or not something changed. */
  readonly onSnapshot: (sight: CampaignSnapshot) => void
}

/** Between two looks. All viewers share one. */
const LOOK_EVERY_MS = 1_000
/** A database that does not respond for so long is away: a connection that was lost says nothing by itself. */
const LOOK_LIMIT_MS = 10_000
/** A database that is away for so many looks in a row, ten minutes or more, ends a watch. */
const LOOKS_AWAY = 600

/**
 * Looks at a campaign again and again, until it was stopped or has finished.
 *
 * @returns what was seen last.
 * @throws what the first look throws; {CampaignDatabaseError} its database is away for too long
 */
export async function watchCampaign(
  read: () => Promise<CampaignStatus>,
  { time, isLeaving, onSnapshot: onSight }: WatchOptions,
): Promise<CampaignSnapshot> {
  let sight: CampaignSnapshot = { status: await read(), away: null }
  for (let failed = 0; !isLeaving(); ) {
    onSight(sight)
    if (hasEnded(sight.status)) break
    await time.pass(LOOK_EVERY_MS)
    if (isLeaving()) break
    const { status } = sight
    const seen = await Promise.race([read(), limitOf(time)]).catch((error) => error as Error)
    failed = seen instanceof Error ? failed + 1 : 0
    if (seen instanceof Error && failed > LOOKS_AWAY) throw new CampaignDatabaseError(seen)
    sight = seen instanceof Error ? { status, away: reasonOf(seen) } : { status: seen, away: null }
  }
  return sight
}

/** Rejects once a look has taken too long. */
async function limitOf(time: WatchOptions['time']): Promise<never> {
  await time.pass(LOOK_LIMIT_MS)
  throw new Error(`no response within ${LOOK_LIMIT_MS / 1_000} s`)
}

/** Returns whether nothing happens to a campaign any more, unless somebody resumes it. */
export function hasEnded({ campaign }: CampaignStatus): boolean {
  return campaign.isFinished || campaign.isStopped
}

/** Returns one line. Node reports a refused connection to several addresses without a message of its own. */
function reasonOf(error: Error): string {
  const { message } = error instanceof AggregateError ? (error.errors[0] as Error) : error
  return message.split('\n')[0] as string
}
