import { headlineOf } from '../../baselineText.ts'
import { plural } from '../../plural.ts'
import type { Specification } from '../../report/about.ts'
import { countCases, countRequirements } from '../../report/counts.ts'
import { type Report, VERDICTS, type Verdict } from '../../report/model.ts'
import { html, type Markup, prose } from '../markup.ts'
import { renderCopyable } from '../parts/exchange.ts'
import { anchor, dateOf, duration, mark, wordOf } from '../parts/marks.ts'
import { renderBaseline } from './baseline.ts'
import { renderChange } from './change.ts'
import { renderMap } from './map.ts'

/** Returns the verdict first, then the evidence for it and what remains open. */
export function renderSummary(report: Report): Markup {
  return html`<section id="summary" aria-labelledby="verdict">
<h1 id="verdict" class="verdict is-${report.verdict}">${headlineOf(report)}</h1>
<p class="lead">${sentenceOf(report)}</p>
${renderFacts(report)}
${renderCopyable(report.replay, 'command to run it again')}
${renderBaseline(report)}
${renderMap(report.requirements)}
${renderSuites(report)}
${renderGaps(report)}
${report.change !== null && renderChange(report.change)}
</section>`
}

function sentenceOf({ cases, requirements }: Report): string {
  const { fail: failed, inconclusive: open, excused: known } = countCases(cases)
  const counts = countRequirements(requirements)
  const testable = requirements.length - counts.untestable
  const number = plural(cases.length, 'case')
  if (cases.length === 0) return 'No case was run, so there is no verdict on the target.'
  const undecided = open > 0 ? ` ${plural(open, 'case')} ended without a verdict.` : ''
  const untested = counts.untested > 0 ? ` ${counts.untested} were not tested.` : ''
  const decided =
    failed > 0
      ? `${counts.fail} of ${testable} testable requirements are violated: ${failed.toLocaleString('en')} of ${number} ${failed === 1 ? 'fails' : 'fail'}.`
      : counts.excused > 0
        ? `${counts.pass} of ${testable} testable requirements pass in ${number}; ${counts.excused} are excused, and no other is violated.`
        : `${counts.pass} of ${testable} testable requirements pass in ${number}, and none is violated.`
  const excused = known > 0 ? ` The baseline excuses ${plural(known, 'case')}.` : ''
  const departed =
    counts['not-kept'] > 0
      ? ` ${plural(counts['not-kept'], 'convention')} ${counts['not-kept'] === 1 ? 'is' : 'are'} not kept, which counts only with --strict.`
      : ''
  return `${decided}${excused}${undecided}${untested}${departed}`
}

function renderFacts(report: Report): Markup {
  const { target, seed, durationMs, versions, suite, cases, requirements, endedAt, specification } = report
  const { untestable } = countRequirements(requirements)
  const { fail, inconclusive } = countCases(cases)
  const facts: readonly (readonly [string, string])[] = [
    ...(endedAt === undefined ? [] : ([['Date', dateOf(endedAt)]] as const)),
    ...(specification === undefined
      ? []
      : ([['Specification', describeSpecification(specification, untestable)]] as const)),
    ['Target', target],
    ['Suite', suite],
    ['Seed', String(seed)],
    ['Cases', cases.length.toLocaleString('en')],
    ['Failed', fail.toLocaleString('en')],
    ['Inconclusive', inconclusive.toLocaleString('en')],
    ['Observations', observationsOf(cases).toLocaleString('en')],
    ...(durationMs === null ? [] : ([['Duration', duration(durationMs)]] as const)),
    ...versions.map(({ name, value }) => [name, value] as const),
  ]
  return html`<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** Enough digits to compare two reports by eye; about.json has all. */
const DIGEST_DIGITS = 12

function describeSpecification({ version, requirements, sha256 }: Specification, untestable: number): string {
  return `${version}, ${plural(requirements, 'requirement')} of which ${untestable} cannot be tested, SHA-256 ${sha256.slice(0, DIGEST_DIGITS)}…`
}

function observationsOf(cases: Report['cases']): number {
  return cases.reduce((sum, { exercised }) => sum + exercised, 0)
}

const ENDINGS = ['pass', 'fail', 'excused', 'inconclusive', 'observed', 'not-applicable', 'skipped'] as const

function renderSuites({ suites, cases }: Report): Markup {
  const all = countCases(cases)
  const endings = ENDINGS.filter((ending) => ending !== 'excused' || all[ending] > 0)
  const rows = suites.map((name) => {
    const own = cases.filter(({ suite }) => suite === name)
    const counts = countCases(own)
    return html`<tr><th scope="row">${name}</th><td>${own.length}</td><td>${observationsOf(own).toLocaleString('en')}</td>${endings.map(
      (ending) => {
        const count = counts[ending]
        return html`<td class="${count === 0 ? 'zero' : ending === 'pass' ? '' : `is-${ending}`}">${count}</td>`
      },
    )}</tr>`
  })
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Suites"><table class="figures"><caption class="sr">Results by suite</caption>
<thead><tr><th scope="col">Suite</th><th scope="col">Cases</th><th scope="col">Observations</th>${endings.map(
    (ending) => html`<th scope="col">${wordOf(ending)}</th>`,
  )}</tr></thead><tbody>${rows}</tbody></table></div>`
}

const GAPS: Readonly<Partial<Record<Verdict, string>>> = {
  untested: 'No case of this run tests them.',
  inconclusive: 'Too little evidence, or the cases ended without a verdict.',
  'not-applicable': 'The cases that test them do not apply to this run.',
  untestable: 'No observation from outside could show a violation.',
}

/** Returns the requirements that were not exercised, by reason. */
function renderGaps({ requirements }: Report): Markup {
  const gaps = VERDICTS.flatMap((verdict) => {
    const why = GAPS[verdict]
    const all = requirements.filter((requirement) => requirement.verdict === verdict)
    if (why === undefined) return []
    // What does not apply has its reason, such as the profile or a capability, as its first note.
    const reasonOf = ({ notes: [reason = why] }: Report['requirements'][number]) =>
      verdict === 'not-applicable' ? reason : why
    const reasons = [...new Set(all.map(reasonOf))]
    return reasons.map((reason) =>
      renderGap(
        verdict,
        reason,
        all.filter((requirement) => reasonOf(requirement) === reason),
      ),
    )
  })
  if (gaps.length === 0) return html``
  return html`<h3 class="gap">What was not exercised</h3>${gaps}`
}

function renderGap(verdict: Verdict, why: string, own: Report['requirements']): Markup {
  return html`<details class="gap"><summary>${mark(verdict)} <b>${plural(own.length, 'requirement')}</b> <span class="muted">${prose(why)}</span></summary><ul class="ids">${own.map(
    ({ id }) => html`<li><a href="#${anchor('req', id)}"><code>${id}</code></a></li>`,
  )}</ul></details>`
}
