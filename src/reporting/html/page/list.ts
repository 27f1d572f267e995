/** A list of lines that can be opened, with the form that filters it. */
export interface List {
  /** Shows only the lines with these words; empty: all. */
  filter(text: string): void
}

/**
 * Filters a list by the words and endings in its form, now and at every change, and shows the number of remaining lines next to
 * the form. Groups without remaining lines are hidden.
 *
 * @param textOf the text that must contain the words, regardless of case.
 */
export function startList(name: string, textOf: (line: HTMLElement) => string): List {
  const list = document.getElementById(`${name}-list`)
  const form = document.querySelector<HTMLFormElement>(`[data-filter="${name}"]`)
  if (!list || !form) return { filter: () => {} }
  const lines = [...list.querySelectorAll<HTMLElement>('details.line')].map((line) => ({ line, text: '' }))
  const groups = list.querySelectorAll<HTMLElement>('section')
  const update = () => {
    const data = new FormData(form)
    const words = String(data.get('text') ?? '')
      .toLowerCase()
      .split(/\s+/)
      .filter(Boolean)
    const endings = new Set(data.getAll('ending').map(String))
    let shown = 0
    for (const each of lines) {
      if (words.length > 0) each.text ||= textOf(each.line).toLowerCase()
      const fits = endings.size === 0 || endings.has(each.line.dataset.ending ?? '')
      each.line.hidden = !fits || !words.every((word) => each.text.includes(word))
      if (!each.line.hidden) shown += 1
    }
    for (const group of groups) group.hidden = group.querySelector('.line:not([hidden])') === null
    const output = form.querySelector('output')
    if (output) output.textContent = `${shown.toLocaleString('en')} ${name}`
  }
  form.addEventListener('input', update)
  form.addEventListener('submit', (event) => event.preventDefault())
  update()
  return {
    filter: (text) => {
      form.reset()
      const field = form.elements.namedItem('text')
      if (field instanceof HTMLInputElement) field.value = text
      update()
    },
  }
}

/** Opens a line, scrolls to it and focuses it. */
export function open(line: Element | null): void {
  if (!(line instanceof HTMLDetailsElement)) return
  line.open = true
  const pane = line.closest('.steps')
  // A list with its own scrollbar moves, and the page stays in place.
  if (pane && pane.scrollHeight > pane.clientHeight && getComputedStyle(pane).position === 'sticky') {
    pane.scrollTop += line.getBoundingClientRect().top - pane.getBoundingClientRect().top
  } else line.scrollIntoView({ block: 'start' })
  line.querySelector('summary')?.focus({ preventScroll: true })
}
