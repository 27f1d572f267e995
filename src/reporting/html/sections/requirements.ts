import { SECTION_TITLES } from '../../../spec/requirements/sections.ts'
import { plural } from '../../plural.ts'
import { countRequirements } from '../../report/counts.ts'
import { type Report, type ReportRequirement, type Status, VERDICTS } from '../../report/model.ts'
import { html, type Markup, prose } from '../markup.ts'
import { renderFilter } from '../parts/filter.ts'
import { anchor, mark } from '../parts/marks.ts'

/** Maximum number of cases listed per requirement; the search shows the others. */
const NAMED = 12

/** Returns every requirement, by section of the specification, with its verdict and evidence. */
export function renderRequirements(report: Report): Markup {
  const { requirements, cases } = report
  const status = new Map(cases.map(({ id, status }) => [id, status]))
  const sections = [...new Set(requirements.map(({ section }) => section))]
  return html`<section id="requirements" aria-labelledby="requirements-title"><h2 id="requirements-title">Requirements</h2>
${renderFilter({ name: 'requirements', choices: VERDICTS, counts: countRequirements(requirements), total: requirements.length })}
<div id="requirements-list">${sections.map(
    (section) =>
      html`<section class="spec-section"><h3>§${section} ${SECTION_TITLES[section] ?? ''}</h3>${requirements
        .filter((requirement) => requirement.section === section)
        .map((requirement) => renderRequirement(requirement, status))}</section>`,
  )}</div></section>`
}

function renderRequirement(requirement: ReportRequirement, status: ReadonlyMap<string, Status>): Markup {
  const { id, verdict, statement, clause, level, cases, exercised, floor, classes, notes } = requirement
  const { sameAs, restatedBy } = requirement
  return html`<details class="line" id="${anchor('req', id)}" data-ending="${verdict}"><summary>${mark(verdict)}<code class="line-id">${id}</code><span class="line-title">${prose(statement)}</span></summary>
<div class="line-body"><blockquote>${prose(clause)}</blockquote>
${sameAs !== undefined && html`<p>Restates ${linkTo(sameAs)}, and shares its evidence.</p>`}
${restatedBy.length > 0 && html`<p>Restated by ${restatedBy.map((again, index) => [index > 0 && ', ', linkTo(again)])}.</p>`}
<p class="evidence">${levelOf(level)} · exercised ${plural(exercised, 'time')}, floor ${floor} · ${plural(cases.length, 'case')}</p>
${notes.length > 0 && html`<ul class="notes">${notes.map((note) => html`<li>${prose(note)}</li>`)}</ul>`}
${renderClasses(classes)}
${
  cases.length > 0 &&
  html`<ul class="cases">${cases.slice(0, NAMED).map((id) => {
    const ending = status.get(id)
    return html`<li>${ending !== undefined && mark(ending)} <a href="#${anchor('case', id)}"><code>${id}</code></a></li>`
  })}</ul>${
    cases.length > NAMED &&
    html`<p><button type="button" class="quiet" data-show-cases="${id}">Show all ${cases.length} cases</button></p>`
  }`
}
</div></details>`
}

const linkTo = (id: string) => html`<a href="#${anchor('req', id)}"><code>${id}</code></a>`

function renderClasses(classes: ReportRequirement['classes']): Markup {
  const entries = Object.entries(classes)
  if (entries.length === 0) return html``
  return html`<ul class="tags" aria-label="Classes of inputs covered">${entries.map(
    ([name, count]) => html`<li>${name} <b>${count}</b></li>`,
  )}</ul>`
}

const LEVELS: Readonly<Record<ReportRequirement['level'], string>> = {
  must: 'The service must',
  convention: 'The suite holds to it by convention',
  may: 'The service may',
  silent: 'The specification is silent',
  untestable: 'Not testable from outside',
}

function levelOf(level: ReportRequirement['level']): string {
  return LEVELS[level]
}
