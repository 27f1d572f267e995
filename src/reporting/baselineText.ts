import { shortenText } from '../spec/cutText.ts'
import type { BaselineEntry } from './baselineFormat.ts'
import { listNames } from './listNames.ts'
import { plural } from './plural.ts'
import type { Results } from './results.ts'

/** One line of what a baseline means for a run. */
export interface BaselineLine {
  /** `excused` counts what is known; an entry that is widened, stale or expired fails the run; one that differs excuses nothing. */
  readonly kind: 'excused' | 'widened' | 'differs' | 'stale' | 'expired'
  readonly text: string
}

/**
 * Returns what its baseline means for a run: what it excuses and until when, and by cause which entries must be taken out or renewed.
 *
 * @param requirements how many requirements are excused with the cases; default: that is not said.
 */
export function describeBaseline(
  { baseline }: Pick<Results, 'baseline'>,
  requirements = 0,
): readonly BaselineLine[] {
  if (baseline === null) return []
  const { excused, widened = [], differs = [], stale, expired } = baseline
  const next = excused.map(({ expires }) => expires).sort()[0]
  const also = requirements === 0 ? '' : `, and ${plural(requirements, 'requirement')} with them`
  const nowOf = (id: string) => differs.find((one) => one.case === id)?.now
  const isStale = (id: string) => stale.some((entry) => entry.case === id)
  return [
    ...(next === undefined
      ? []
      : [
          {
            kind: 'excused' as const,
            text: `${countKnown(excused)} excused by the baseline${also}; the next entry expires after ${next}`,
          },
        ]),
    ...widened.map(({ case: id, requirements }) => ({
      kind: 'widened' as const,
      text: `${id} ends as its entry says, and also violates ${requirements.join(', ')}, which the entry does not name`,
    })),
    ...differs
      .filter((one) => !isStale(one.case))
      .map(({ case: id, now }) => ({
        kind: 'differs' as const,
        text: `${id} does not end as its entry says, but ${now}`,
      })),
    ...groupsOf(stale, ({ case: id }) => nowOf(id) === undefined).map((group) => ({
      kind: 'stale' as const,
      text: describeStaleGroup(group, nowOf),
    })),
    ...groupsOf(expired).map((group) => ({ kind: 'expired' as const, text: describeExpiredGroup(group) })),
  ]
}

/** Returns the entries that fail the run, one by one. */
export function describeOutdated({ baseline }: Pick<Results, 'baseline'>): readonly BaselineLine[] {
  const { differs = [], stale = [], expired = [] } = baseline ?? {}
  const nowOf = (id: string) => differs.find((one) => one.case === id)?.now
  return [
    ...stale.map((entry) => ({ kind: 'stale' as const, text: describeStale(entry, nowOf(entry.case)) })),
    ...expired.map((entry) => ({ kind: 'expired' as const, text: describeExpired(entry) })),
  ]
}

const MOST_OF_A_CAUSE = 80

function describeStaleGroup(
  group: readonly [BaselineEntry, ...BaselineEntry[]],
  nowOf: (id: string) => string | undefined,
): string {
  const [first] = group
  if (group.length === 1) return describeStale(first, nowOf(first.case))
  const { reason, link } = first
  return nowOf(first.case) === undefined
    ? `${nameGroup(group)}, no longer end as known: take the entries out (--update-baseline); ${reason} (${link})`
    : `${nameGroup(group)}, no longer end as known, but in another way: fix that, or take it into the baseline (--update-baseline); ${reason} (${link})`
}

function describeExpiredGroup(group: readonly [BaselineEntry, ...BaselineEntry[]]): string {
  const [first] = group
  if (group.length === 1) return describeExpired(first)
  const last = group
    .map(({ expires }) => expires)
    .sort()
    .at(-1)
  return `${nameGroup(group)}, whose entries ended by ${last}: ${first.reason} (${first.link}); fix it, or renew the entries (--update-baseline --expires DAY)`
}

function nameGroup(group: readonly [BaselineEntry, ...BaselineEntry[]]): string {
  const [{ requirement, inconclusive = '' }] = group
  const cause = shortenText(requirement ?? inconclusive, MOST_OF_A_CAUSE)
  return `${cause}: ${plural(group.length, 'case')}, ${listNames(group.map((entry) => entry.case))}`
}

function describeExpired({ case: id, expires, reason }: BaselineEntry): string {
  return `the entry for ${id} ended on ${expires}: ${reason}; fix it, or renew the entry (--update-baseline --expires DAY)`
}

/** Entries with one cause and one excuse, and whatever else separates them. */
function groupsOf(
  entries: readonly BaselineEntry[],
  kindOf: (entry: BaselineEntry) => unknown = () => null,
): readonly (readonly [BaselineEntry, ...BaselineEntry[]])[] {
  const groups = new Map<string, [BaselineEntry, ...BaselineEntry[]]>()
  for (const entry of entries) {
    const { requirement, inconclusive, reason, link } = entry
    const key = JSON.stringify([requirement, inconclusive, reason, link, kindOf(entry)])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [entry])
    else group.push(entry)
  }
  return [...groups.values()]
}

/** @param now how its case ends instead; undefined: well. */
function describeStale(entry: BaselineEntry, now: string | undefined): string {
  const { case: id, fingerprint } = entry
  const known =
    entry.inconclusive === undefined ? `fails like ${fingerprint}` : `is inconclusive like ${fingerprint}`
  return now === undefined
    ? `${id} no longer ${known}: take the entry out (--update-baseline)`
    : `${id} no longer ${known}, but ${now}: fix that, or take it into the baseline (--update-baseline)`
}

/** `2 known failures and 1 case known to be inconclusive`: each counts one case. */
export function countKnown(entries: readonly BaselineEntry[]): string {
  const open = entries.filter(({ inconclusive }) => inconclusive !== undefined).length
  const failures = entries.length - open
  const failing = failures === 0 && open > 0 ? [] : [plural(failures, 'known failure')]
  const unjudged = open === 0 ? [] : [`${plural(open, 'case')} known to be inconclusive`]
  return [...failing, ...unjudged].join(' and ')
}

/** Known entries with one cause and one excuse. */
export interface KnownCause extends Pick<BaselineEntry, 'reason' | 'link'> {
  /** The requirement that is violated, or why the cases are inconclusive. */
  readonly cause: string
  /** Null: the cases are inconclusive. */
  readonly requirement: string | null
  /** In the order of the run; at least one. */
  readonly cases: readonly string[]
  /** The earliest last day of the entries. */
  readonly expires: string
}

/** Returns what the baseline excuses in a run by cause, what expires first before the rest. */
export function knownCauses({ baseline }: Pick<Results, 'baseline'>): readonly KnownCause[] {
  return groupsOf(baseline?.excused ?? [])
    .map((entries) => {
      const [{ requirement = null, inconclusive = '', reason, link }] = entries
      return {
        cause: requirement ?? inconclusive,
        requirement,
        cases: entries.map((entry) => entry.case),
        expires: entries.map(({ expires }) => expires).sort()[0] as string,
        reason,
        link,
      }
    })
    .sort((one, other) => one.expires.localeCompare(other.expires) || other.cases.length - one.cases.length)
}

/** Returns the verdict of a run in words: a run that passes, or fails, only because of its baseline says so. */
export function verdictInWords({ verdict, baseline }: Pick<Results, 'verdict' | 'baseline'>): string {
  const known = baseline?.excused ?? []
  return verdict === 'conforms' && known.length > 0
    ? `holds its baseline: ${countKnown(known)}`
    : `${verdict.replaceAll('-', ' ')}${whyOutdated({ baseline })}`
}

/** Returns the entries of the baseline that fail a run in which nothing else does; empty where something does. */
function whyOutdated({ baseline }: Pick<Results, 'baseline'>): string {
  const { unexcused = [], stale = [], expired = [] } = baseline ?? {}
  const past = new Set(expired.map((entry) => entry.case))
  if (stale.length + expired.length === 0 || unexcused.some((id) => !past.has(id))) return ''
  const it = (entries: readonly unknown[]) => (entries.length === 1 ? 'it' : 'them')
  const gone =
    stale.length === 0
      ? []
      : [
          `${plural(stale.length, 'stale entry', 'stale entries')} of the baseline; take ${it(stale)} out with --update-baseline`,
        ]
  const over =
    expired.length === 0
      ? []
      : [
          `${plural(expired.length, 'expired entry', 'expired entries')} of the baseline; renew ${it(expired)} with --update-baseline --expires DAY`,
        ]
  return `: ${[...gone, ...over].join('; ')}`
}

/** Returns the verdict of a run as the heading of a report. */
export function headlineOf(run: Pick<Results, 'verdict' | 'baseline'>): string {
  const words = verdictInWords(run)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
