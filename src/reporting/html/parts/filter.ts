import { wordOf } from '../../document/endings.ts'
import { html, type Markup } from '../markup.ts'

type Ending = Parameters<typeof wordOf>[0]

interface Filter {
  /** Name of the filtered list, whose id is `NAME-list`. */
  readonly name: string
  readonly choices: readonly Ending[]
  readonly counts: Readonly<Partial<Record<Ending, number>>>
  readonly total: number
}

/** Returns a search field, a checkbox for each status that occurs, and the number of matching entries. */
export function renderFilter({ name, choices, counts, total }: Filter): Markup {
  return html`<form class="filter" role="search" aria-label="Filter ${name}" data-filter="${name}">
<label class="search"><span class="sr">Search ${name}</span><input type="search" name="text" placeholder="Search ${name}" autocomplete="off" spellcheck="false"></label>
<fieldset><legend class="sr">Show</legend>${choices.map((choice) => {
    const count = counts[choice] ?? 0
    if (count === 0) return null
    return html`<label class="choice is-${choice}"><input type="checkbox" name="ending" value="${choice}"><span>${wordOf(choice)} <b>${count.toLocaleString('en')}</b></span></label>`
  })}</fieldset>
<output class="muted" aria-live="polite">${total.toLocaleString('en')} ${name}</output></form>`
}
