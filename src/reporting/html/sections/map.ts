import { SECTION_TITLES } from '../../../spec/requirements/sections.ts'
import { wordOf } from '../../document/endings.ts'
import { groupBy } from '../../groupBy.ts'
import { countRequirements, type ReportRequirement, VERDICTS } from '../../report/model.ts'
import { html, type Markup } from '../markup.ts'

/**
 * Returns one small square per requirement, by section, to show gaps and failures at a glance. It is only for eye and mouse;
 * the list of requirements has the same information as text.
 */
export function renderMap(requirements: readonly ReportRequirement[]): Markup {
  const counts = countRequirements(requirements)
  const sections = [...groupBy(requirements, ({ section }) => section)]
  return html`<figure class="map"><div class="map-sections" aria-hidden="true">${sections.map(
    ([section, own]) => {
      return html`<div class="map-section"><span class="map-name" title="${SECTION_TITLES[section] ?? ''}">§${section}</span><span class="map-cells">${own.map(
        ({ id, verdict }) =>
          html`<i class="cell is-${verdict}" data-goto="${id}" title="${id}: ${wordOf(verdict)}"></i>`,
      )}</span></div>`
    },
  )}</div><figcaption>${VERDICTS.map((verdict) => {
    if (counts[verdict] === 0) return null
    return html`<span class="legend"><i class="cell is-${verdict}" aria-hidden="true"></i> ${counts[verdict]} ${wordOf(verdict)}</span>`
  })}</figcaption></figure>`
}
