import { renderResult, renderResultLine } from '../parts/result.ts'
import type { PageData } from './data.ts'
import { matches, type Query, startFilter } from './filter.ts'

/** The list of checks, for the rest of the page. */
export interface Checks {
  /** Shows a check, opened; false when there is none of this id. */
  reveal(id: string): boolean
  /** Shows only the checks that cite a requirement. */
  citing(requirement: string): void
}

/** Lines of one chunk. A chunk is filled when it comes near the window, and costs nothing before. */
const CHUNK = 80
/** What a line is taken to be high while it is not drawn. */
const LINE_PX = 37

/** Ten thousand checks as a list that holds only what is looked at. */
export function startChecks({ results, baseUrl }: PageData): Checks {
  const list = document.getElementById('checks-list')
  if (!list) return { reveal: () => false, citing: () => {} }
  const texts: string[] = []
  let chosen: number[] = []

  const near = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) fill(target as HTMLElement)
    },
    { rootMargin: '1200px 0px' },
  )
  const fill = (chunk: HTMLElement) => {
    near.unobserve(chunk)
    if (chunk.dataset.from === undefined) return
    const from = Number(chunk.dataset.from)
    delete chunk.dataset.from
    chunk.innerHTML = chosen
      .slice(from, from + CHUNK)
      .map((index) => {
        const result = results[index]
        return result === undefined ? '' : renderResultLine(result, index).text
      })
      .join('')
    chunk.style.minHeight = ''
  }
  const show = (query: Query): number => {
    performance.mark('plumbline-filter')
    if (texts.length === 0 && query.words.length > 0) for (const result of results) texts.push(textOf(result))
    chosen = []
    for (const [index, result] of results.entries()) {
      if (matches(query, result.status, texts[index] ?? '')) chosen.push(index)
    }
    near.disconnect()
    const chunks: HTMLElement[] = []
    for (let from = 0; from < chosen.length; from += CHUNK) {
      const chunk = document.createElement('ul')
      chunk.className = 'chunk'
      chunk.dataset.from = String(from)
      chunk.style.minHeight = `${Math.min(CHUNK, chosen.length - from) * LINE_PX}px`
      chunks.push(chunk)
    }
    list.replaceChildren(...chunks)
    const [first] = chunks
    if (first) fill(first)
    for (const chunk of chunks) near.observe(chunk)
    performance.measure('plumbline-filter', 'plumbline-filter')
    return chosen.length
  }
  const filter = startFilter('checks', show)

  list.addEventListener(
    'toggle',
    (event) => {
      const line = event.target
      if (!(line instanceof HTMLDetailsElement) || !line.open) return
      const result = results[Number(line.dataset.result)]
      const body = line.querySelector('.line-body')
      if (result && body && body.childElementCount === 0) body.innerHTML = renderResult(result, baseUrl).text
    },
    // It does not bubble.
    true,
  )

  return {
    reveal: (id) => {
      const index = results.findIndex((result) => result.id === id)
      if (index < 0) return false
      if (!chosen.includes(index)) filter.clear()
      const chunk = list.children[Math.floor(chosen.indexOf(index) / CHUNK)]
      if (chunk instanceof HTMLElement) fill(chunk)
      open(list.querySelector(`[data-result="${index}"]`))
      return true
    },
    citing: (requirement) => {
      filter.set(requirement)
      document.getElementById('checks')?.scrollIntoView()
    },
  }
}

/** Opens a line and brings it to where the reader is, the keyboard with it. */
export function open(line: Element | null): void {
  if (!(line instanceof HTMLDetailsElement)) return
  line.open = true
  line.scrollIntoView({ block: 'start' })
  line.querySelector('summary')?.focus({ preventScroll: true })
}

function textOf({ id, title, group, requirements, failure, notes }: PageData['results'][number]): string {
  return [id, title, group, ...requirements, failure?.message ?? '', ...notes].join('\n').toLowerCase()
}
