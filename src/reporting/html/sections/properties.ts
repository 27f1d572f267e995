import { details } from '../../document/model.ts'
import { classTable, propertyTable } from '../../documents/tables.ts'
import { plural } from '../../plural.ts'
import type { PropertyFamily, Report } from '../../report/model.ts'
import { toHtml } from '../document.ts'
import { html, type Markup } from '../markup.ts'

/** Each property, how often it was checked, and how the cases of each family spread over the classes of inputs. */
export function renderProperties({ properties: families }: Report): Markup {
  if (families.length === 0) return html``
  return html`<section id="properties" aria-labelledby="properties-title"><h2 id="properties-title">Properties</h2>
<p class="muted">Statements that must hold for every generated case. Each class shows how often it was met; one case may meet a class several times.</p>
${toHtml([propertyTable(families), classTable(families), ...families.map(familyBlock)])}</section>`
}

function familyBlock(family: PropertyFamily) {
  const names = family.properties.map(({ id }) => id).join(', ')
  return details(`${names}: ${plural(family.cases, 'case')}`, [classTable([family])])
}
