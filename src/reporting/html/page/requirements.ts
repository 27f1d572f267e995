import { matches, startFilter } from './filter.ts'

/** Filters the requirements, which stand in the page: hides them, and the sections that are left empty. */
export function startRequirements(): void {
  const list = document.getElementById('requirements-list')
  if (!list) return
  const sections = [...list.querySelectorAll<HTMLElement>('.spec-section')].map((section) => ({
    section,
    title: (section.querySelector('h3')?.textContent ?? '').toLowerCase(),
    lines: [...section.querySelectorAll<HTMLDetailsElement>('details.line')].map((line) => ({
      line,
      ending: line.dataset.ending ?? '',
      text: '',
    })),
  }))
  startFilter('requirements', (query) => {
    let shown = 0
    for (const { section, title, lines } of sections) {
      let own = 0
      for (const entry of lines) {
        if (query.words.length > 0) entry.text ||= `${title} ${(entry.line.textContent ?? '').toLowerCase()}`
        const fits = matches(query, entry.ending, entry.text)
        entry.line.hidden = !fits
        if (fits) own += 1
      }
      section.hidden = own === 0
      shown += own
    }
    return shown
  })
}
