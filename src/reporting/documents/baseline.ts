import { shortenText } from '../../spec/cutText.ts'
import { type BaselineLine, describeBaseline, type KnownCause, knownCauses } from '../baselineText.ts'
import {
  type Block,
  details,
  type Inline,
  link,
  list,
  paragraph,
  section,
  strong,
} from '../document/model.ts'
import { caseRef, references, requirementRef } from '../document/references.ts'
import { type Group, groupBy } from '../groupBy.ts'
import { listNames } from '../listNames.ts'
import { plural } from '../plural.ts'
import type { Report } from '../report/model.ts'
import { countRequirements } from '../report/model.ts'

const REASONS = 20
const MOST_OF_A_CAUSE = 200

type WithBaseline = Pick<Report, 'baseline' | 'requirements'>

/** Describes the effect of the baseline on a run: what it excuses, by reason, and what fails the run. Empty without a baseline. */
export function baselineBlocks(report: WithBaseline): readonly Block[] {
  const parts = partsOf(report)
  if (parts === null) return []
  return [section('Baseline', [...parts.failing, ...parts.excused.map(paragraphOf), ...parts.reasons])]
}

/** Returns the same with the excused entries folded: readers of a comment look for what is new. */
export function foldedBaselineBlocks(report: WithBaseline): readonly Block[] {
  const parts = partsOf(report)
  if (parts === null) return []
  const { failing, excused, reasons } = parts
  const [first] = excused
  const folded = first === undefined ? [] : [details([`Baseline: ${first.text}`], reasons)]
  return [...(failing.length === 0 ? [] : [section('Baseline', failing)]), ...folded]
}

function partsOf(report: WithBaseline) {
  if (report.baseline === null) return null
  const lines = describeBaseline(report, countRequirements(report.requirements).excused)
  const none = [paragraph('no entry of the baseline is about a case of this run')]
  const reasons = [
    ...groupBy(knownCauses(report), ({ reason, link: href }) => JSON.stringify([reason, href])).values(),
  ].map(reasonBlock)
  const rest = reasons.slice(REASONS)
  return {
    excused: lines.filter(({ kind }) => kind === 'excused'),
    failing: lines.length === 0 ? none : lines.filter(({ kind }) => kind !== 'excused').map(paragraphOf),
    reasons: [
      ...reasons.slice(0, REASONS),
      ...(rest.length === 0 ? [] : [details(`and ${plural(rest.length, 'more reason')}`, rest)]),
    ],
  }
}

function paragraphOf({ kind, text }: BaselineLine): Block {
  return kind === 'excused' ? paragraph(text) : paragraph(strong(kind, 'bad'), ` ${text}`)
}

/** Returns the known causes with one reason: the reason and their number or, for a single cause, its name. */
function reasonBlock(causes: Group<KnownCause>): Block {
  const [first, ...others] = causes
  const { reason, link: href, expires, cases } = first
  const own: Inline[] = [...nameOf(first), `: ${plural(cases.length, 'case')}, ${listNames(cases)}; `]
  const why: Inline[] = [`until ${expires}: ${reason} (`, link(href), ')']
  if (others.length === 0) return details([...own, ...why], [paragraph(...references(cases, caseRef))])
  const all = causes.flatMap((cause) => cause.cases)
  const counted = `${plural(all.length, 'case')} with ${plural(causes.length, 'cause')}; `
  return details(
    [counted, ...why],
    [
      list(
        causes.map((cause) => ({
          blocks: [
            paragraph(...nameOf(cause), `: ${plural(cause.cases.length, 'case')}`),
            paragraph(...references(cause.cases, caseRef)),
          ],
        })),
      ),
    ],
  )
}

function nameOf({ cause, requirement }: KnownCause): readonly Inline[] {
  return [requirement === null ? shortenText(cause, MOST_OF_A_CAUSE) : requirementRef(requirement)]
}
