import { shortenText } from '../../spec/cutText.ts'
import { type BaselineLine, describeBaseline, type KnownCause, knownCauses } from '../baselineText.ts'
import { type Block, details, type Inline, link, paragraph, section, strong } from '../document/model.ts'
import { caseRef, referencesTo, requirementRef } from '../document/references.ts'
import { listNames } from '../listNames.ts'
import { plural } from '../plural.ts'
import type { Report } from '../report/model.ts'
import { countRequirements } from '../report/model.ts'

const CAUSES = 20
const MOST_OF_A_CAUSE = 200

type WithBaseline = Pick<Report, 'baseline' | 'requirements'>

/** Returns what the baseline of a run means for it: what it excuses by cause, and what fails the run. Empty where there is none. */
export function baselineBlocks(report: WithBaseline): readonly Block[] {
  if (report.baseline === null) return []
  const { excused } = countRequirements(report.requirements)
  const lines = describeBaseline(report, excused)
  const known = knownCauses(report)
  return [
    section('Baseline', [
      ...(lines.length === 0
        ? [paragraph('no entry of the baseline is about a case of this run')]
        : lines.map((line) => paragraph(...lineText(line)))),
      ...known.slice(0, CAUSES).map(knownBlock),
      ...(known.length > CAUSES
        ? [details(`and ${plural(known.length - CAUSES, 'more cause')}`, known.slice(CAUSES).map(knownBlock))]
        : []),
    ]),
  ]
}

/** Returns a known cause in one line: its cases, until when they are excused, why, and where the work on it is tracked. */
export function knownText({ cases, expires, reason, link: href }: KnownCause): readonly Inline[] {
  const first = `${plural(cases.length, 'case')}, ${listNames(cases)}; until ${expires}: ${reason} (`
  return [first, link(href), ')']
}

function lineText({ kind, text }: BaselineLine): readonly Inline[] {
  return kind === 'excused' ? [text] : [strong(kind, 'bad'), ` ${text}`]
}

function knownBlock(known: KnownCause): Block {
  const cause = shortenText(known.cause, MOST_OF_A_CAUSE)
  const name = known.requirement === null ? cause : requirementRef(known.requirement)
  return details([name, ': ', ...knownText(known)], [referencesTo(known.cases, caseRef)])
}
