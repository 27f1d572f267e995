import { plural } from '../../plural.ts'
import type { PropertyFamily, Report } from '../../report/model.ts'
import { type ClassOfCases, classesOf } from '../../report/propertyFamilies.ts'
import { html, type Markup, prose } from '../markup.ts'
import { anchor, mark } from '../parts/marks.ts'

/** Each family of properties: the properties, how often they were checked, and the distribution of cases over classes. */
export function renderProperties({ properties: families }: Report): Markup {
  if (families.length === 0) return html``
  return html`<section id="properties" aria-labelledby="properties-title"><h2 id="properties-title">Properties</h2>
<p class="muted">Statements that must hold for every generated case. Each class shows how often it was covered; one case may cover a class several times.</p>
${families.map(renderFamily)}
${renderClasses(classesOf(families))}</section>`
}

/** Returns the classes that all families together must cover, with their floors. */
function renderClasses(classes: readonly ClassOfCases[]): Markup {
  if (classes.every(({ floor }) => floor === null)) return html``
  const missed = classes.filter(({ count, floor }) => floor !== null && count < floor).length
  return html`<h3>Classes of all families</h3><p class="muted">${missed === 0 ? 'Every class reached its floor.' : `${plural(missed, 'class', 'classes')} below the floor: too little was covered.`}</p><div class="scroll" tabindex="0" role="region" aria-label="Classes of all families"><table><thead><tr><th scope="col">Class</th><th scope="col">Covered</th><th scope="col">Share</th><th scope="col">Floor</th><th scope="col">Reached</th></tr></thead><tbody>${classes.map(
    ({ name, count, share, floor }) =>
      html`<tr><th scope="row">${name}</th><td class="number">${count.toLocaleString('en')}</td><td class="number">${share === null ? '' : `${(100 * share.part).toFixed(1)} % of ${share.of}`}</td><td class="number">${floor === null ? '' : floor.toLocaleString('en')}</td><td>${floor === null ? '' : count < floor ? mark('inconclusive') : mark('pass')}</td></tr>`,
  )}</tbody></table></div>`
}

function renderFamily({ cases, labels, properties }: PropertyFamily): Markup {
  const most = Math.max(1, ...labels.map(({ count }) => count))
  return html`<div class="family"><div class="scroll" tabindex="0" role="region" aria-label="Properties"><table><thead><tr><th scope="col">Property</th><th scope="col">Observations</th><th scope="col">Result</th></tr></thead><tbody>${properties.map(
    ({ id, title, status, exercised }) =>
      html`<tr><th scope="row"><a href="#${anchor('case', id)}"><code>${id}</code></a><br><span class="muted">${prose(title)}</span></th><td class="number">${exercised.toLocaleString('en')}</td><td>${mark(status)}</td></tr>`,
  )}</tbody></table></div>
${
  labels.length > 0 &&
  html`<details class="gap"><summary><b>${plural(cases, 'case')}</b> <span class="muted">in ${plural(labels.length, 'class', 'classes')}</span></summary><table class="bars"><caption class="sr">Classes of cases</caption><thead class="sr"><tr><th scope="col">Class</th><th scope="col">Compared</th><th scope="col">Covered</th></tr></thead><tbody>${labels.map(
    ({ name, count }) =>
      html`<tr><th scope="row">${name}</th><td class="bar-cell"><svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="bar-fill" width="${Math.round((100 * count) / most)}" height="10"/></svg></td><td>${count.toLocaleString('en')}</td></tr>`,
  )}</tbody></table></details>`
}</div>`
}
