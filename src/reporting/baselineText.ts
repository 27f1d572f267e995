import { shortenText } from '../spec/cutText.ts'
import type { BaselineEntry } from './baselineFormat.ts'
import { type Group, groupBy } from './groupBy.ts'
import { listNames } from './listNames.ts'
import { plural } from './plural.ts'
import type { Results } from './results.ts'

/** One line about the effect of a baseline on a run. */
export interface BaselineLine {
  /** `excused` counts known ends; `widened`, `stale` and `expired` entries fail the run; one that differs excuses nothing. */
  readonly kind: 'excused' | 'widened' | 'differs' | 'stale' | 'expired'
  readonly text: string
}

/**
 * Describes the effect of the baseline on a run: what it excuses and until when, and, by cause, the entries to remove or renew.
 *
 * @param requirements number of requirements excused with the cases; 0: not mentioned.
 */
export function describeBaseline(
  { baseline }: Pick<Results, 'baseline'>,
  requirements = 0,
): readonly BaselineLine[] {
  if (baseline === null) return []
  const { excused, widened = [], differs = [], stale, expired } = baseline
  const next = lastDaysOf(excused)[0]
  const also = requirements === 0 ? '' : `, and ${plural(requirements, 'requirement')} with them`
  const line = (kind: BaselineLine['kind'], text: string) => ({ kind, text })
  const known = `${countKnown(excused)} excused by the baseline${also}; the next entry expires after ${next}`
  return [
    ...(next === undefined ? [] : [line('excused', known)]),
    ...widened.map(({ case: id, requirements: others }) =>
      line(
        'widened',
        `${id} ends as its entry says, and also violates ${others.join(', ')}, which the entry does not name`,
      ),
    ),
    ...differs.map(({ case: id, now }) =>
      line('differs', `${id} does not end as its entry says, but ${now}`),
    ),
    ...groupsOf(stale).map((group) =>
      line(
        'stale',
        `${nameGroup(group)}: no longer end as known; take the entries out (plumbline baseline update)`,
      ),
    ),
    ...groupsOf(expired).map((group) => {
      const advice = 'fix it, or renew the entries (plumbline baseline update --expires DAY)'
      return line('expired', `${nameGroup(group)}: ended by ${lastDaysOf(group).at(-1)}; ${advice}`)
    }),
  ]
}

const MOST_OF_A_CAUSE = 80

/** Describes entries by their cause, their cases, and the reason why they are excused. */
function nameGroup(group: Group<BaselineEntry>): string {
  const [{ requirement, inconclusive = '', reason, link }] = group
  const names = listNames(group.map((entry) => entry.case))
  const cause = shortenText(requirement ?? inconclusive, MOST_OF_A_CAUSE)
  return `${cause}, ${plural(group.length, 'case')}, ${names}, ${reason} (${link})`
}

/** Returns the last days of entries, the earliest first. */
function lastDaysOf(entries: readonly BaselineEntry[]): readonly string[] {
  return entries.map(({ expires }) => expires).sort()
}

/** Groups entries with one cause and one excuse. */
function groupsOf(entries: readonly BaselineEntry[]): readonly Group<BaselineEntry>[] {
  return [
    ...groupBy(entries, ({ requirement, inconclusive, reason, link }) =>
      JSON.stringify([requirement, inconclusive, reason, link]),
    ).values(),
  ]
}

/** Returns `2 known failures and 1 case known to be inconclusive`: each counts one case. */
export function countKnown(entries: readonly BaselineEntry[]): string {
  const open = entries.filter(({ inconclusive }) => inconclusive !== undefined).length
  const failures = entries.length - open
  const failing = failures === 0 && open > 0 ? [] : [plural(failures, 'known failure')]
  const unjudged = open === 0 ? [] : [`${plural(open, 'case')} known to be inconclusive`]
  return [...failing, ...unjudged].join(' and ')
}

/** Known entries with one cause and one excuse. */
export interface KnownCause extends Pick<BaselineEntry, 'reason' | 'link'> {
  /** The violated requirement, or the reason why the cases are inconclusive. */
  readonly cause: string
  /** Null: the cases are inconclusive. */
  readonly requirement: string | null
  /** In the order of the run; at least one. */
  readonly cases: readonly string[]
  /** The earliest last day of the entries. */
  readonly expires: string
}

/** Returns the excused entries of a run by cause, those that expire first before the rest. */
export function knownCauses({ baseline }: Pick<Results, 'baseline'>): readonly KnownCause[] {
  return groupsOf(baseline?.excused ?? [])
    .map((entries) => {
      const [{ requirement = null, inconclusive = '', reason, link }] = entries
      return {
        cause: requirement ?? inconclusive,
        requirement,
        cases: entries.map((entry) => entry.case),
        expires: lastDaysOf(entries)[0] ?? '',
        reason,
        link,
      }
    })
    .sort((one, other) => one.expires.localeCompare(other.expires) || other.cases.length - one.cases.length)
}

/** Returns the verdict of a run in words, including whether only the baseline makes the run pass or fail. */
export function verdictInWords({ verdict, baseline }: Pick<Results, 'verdict' | 'baseline'>): string {
  const known = baseline?.excused ?? []
  return verdict === 'conforms' && known.length > 0
    ? `holds its baseline: ${countKnown(known)}`
    : `${verdict.replaceAll('-', ' ')}${whyOutdated({ baseline })}`
}

/** Describes the outdated entries if they alone fail the run; empty if anything else does. */
function whyOutdated({ baseline }: Pick<Results, 'baseline'>): string {
  const { unexcused = [], stale = [], expired = [] } = baseline ?? {}
  const past = new Set(expired.map((entry) => entry.case))
  if (stale.length + expired.length === 0 || unexcused.some((id) => !past.has(id))) return ''
  const describe = (entries: readonly unknown[], kind: string, doIt: (it: string) => string) =>
    entries.length === 0
      ? []
      : [
          `${plural(entries.length, `${kind} entry`, `${kind} entries`)} of the baseline; ${doIt(entries.length === 1 ? 'it' : 'them')}`,
        ]
  return `: ${[
    ...describe(stale, 'stale', (it) => `take ${it} out with plumbline baseline update`),
    ...describe(expired, 'expired', (it) => `renew ${it} with plumbline baseline update --expires DAY`),
  ].join('; ')}`
}

/** Returns the verdict of a run as the heading of a report. */
export function headlineOf(run: Pick<Results, 'verdict' | 'baseline'>): string {
  const words = verdictInWords(run)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
