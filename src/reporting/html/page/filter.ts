/** Describes what a filter asks for. */
export interface Query {
  /** Lower-case words that must all occur. */
  readonly words: readonly string[]
  /** Endings to show; none means all. */
  readonly endings: ReadonlySet<string>
}

/** A list's filter: its form, and the way to change it from elsewhere in the page. */
export interface Filter {
  set(text: string): void
  clear(): void
}

/**
 * Calls `show` with what the form asks for, now and at every change. `show` answers how many it left, which is written
 * next to the form.
 */
export function startFilter(name: string, show: (query: Query) => number): Filter {
  const form = document.querySelector<HTMLFormElement>(`[data-filter="${name}"]`)
  if (!form) return { set: () => {}, clear: () => {} }
  const output = form.querySelector('output')
  const update = () => {
    const data = new FormData(form)
    const count = show({
      words: String(data.get('text') ?? '')
        .toLowerCase()
        .split(/\s+/)
        .filter(Boolean),
      endings: new Set(data.getAll('ending').map(String)),
    })
    if (output) output.textContent = `${count.toLocaleString('en')} ${name}`
  }
  const fill = (text: string) => {
    form.reset()
    const field = form.elements.namedItem('text')
    if (field instanceof HTMLInputElement) field.value = text
    update()
  }
  form.addEventListener('input', update)
  form.addEventListener('submit', (event) => event.preventDefault())
  update()
  return { set: fill, clear: () => fill('') }
}

/** Returns whether a text, in lower case, is what a query asks for. */
export function matches(query: Query, ending: string, text: string): boolean {
  if (query.endings.size > 0 && !query.endings.has(ending)) return false
  return query.words.every((word) => text.includes(word))
}
