import { type Inline, table } from '../../document/model.ts'
import { requirementRef } from '../../document/references.ts'
import { plural } from '../../plural.ts'
import type { Report } from '../../report/model.ts'
import { toHtml } from '../document.ts'
import { html, type Markup } from '../markup.ts'

/** Renders the behaviour of the target where the specification is silent; never a failure. */
export function renderSilent({ silent }: Report): Markup {
  if (silent.length === 0) return html``
  const rows = silent.map(({ id, statement, observed, section }) => {
    const point: readonly Inline[] = [requirementRef(id), ` §${section}: ${statement}`]
    return [point, observed ?? 'not observed']
  })
  return html`<section id="silent" aria-labelledby="silent-title"><h2 id="silent-title">Where the specification is silent</h2>
<p class="muted">${plural(silent.length, 'point')}. The behaviour is recorded and never fails.</p>
${toHtml([table('observations', ['point', 'observed'], rows)])}</section>`
}
