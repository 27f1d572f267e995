import type { PageData } from '../pageData.ts'
import { renderResult, renderResultLine } from '../parts/result.ts'
import { matches, type Query, startFilter } from './filter.ts'

/** The list of cases, for the rest of the page. */
export interface CaseList {
  /** Opens a case and scrolls to it; false when there is no case with this id. */
  reveal(id: string): boolean
  /** Shows only the cases that cite a requirement. */
  citing(requirement: string): void
}

/** Lines per chunk. A chunk is rendered when it comes near the viewport. */
const CHUNK = 80
/** The estimated height of a line that is not rendered yet. */
const LINE_PX = 37

/** A list for ten thousand cases that renders only its visible part. */
export function startCases(data: PageData): CaseList {
  const { cases } = data
  const list = document.getElementById('cases-list')
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
        const result = cases[index]
        return result === undefined ? '' : renderResultLine(result, index).text
      })
      .join('')
    chunk.style.minHeight = ''
  }
  const show = (query: Query): number => {
    performance.mark('plumbline-filter')
    if (texts.length === 0 && query.words.length > 0) for (const result of cases) texts.push(textOf(result))
    chosen = []
    for (const [index, result] of cases.entries()) {
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
  const filter = startFilter('cases', show)

  list.addEventListener(
    'toggle',
    (event) => {
      const line = event.target
      if (!(line instanceof HTMLDetailsElement) || !line.open) return
      const result = cases[Number(line.dataset.result)]
      const body = line.querySelector('.line-body')
      if (result && body && body.childElementCount === 0)
        body.innerHTML = renderResult(result, data.baseUrl, (id) => data.clauses[id] ?? null).text
    },
    // It does not bubble.
    true,
  )

  return {
    reveal: (id) => {
      const index = cases.findIndex((result) => result.id === id)
      if (index < 0) return false
      if (!chosen.includes(index)) filter.clear()
      const chunk = list.children[Math.floor(chosen.indexOf(index) / CHUNK)]
      if (chunk instanceof HTMLElement) fill(chunk)
      open(list.querySelector(`[data-result="${index}"]`))
      return true
    },
    citing: (requirement) => {
      filter.set(requirement)
      document.getElementById('cases')?.scrollIntoView()
    },
  }
}

/** Opens a line, scrolls to it and focuses it. */
export function open(line: Element | null): void {
  if (!(line instanceof HTMLDetailsElement)) return
  line.open = true
  const pane = line.closest('.steps')
  // A list that scrolls by itself moves, and the page stays where it is.
  if (pane && pane.scrollHeight > pane.clientHeight && getComputedStyle(pane).position === 'sticky') {
    pane.scrollTop += line.getBoundingClientRect().top - pane.getBoundingClientRect().top
  } else line.scrollIntoView({ block: 'start' })
  line.querySelector('summary')?.focus({ preventScroll: true })
}

function textOf({ id, title, suite, requirements, failure, notes }: PageData['cases'][number]): string {
  return [id, title, suite, ...requirements, failure?.message ?? '', ...notes].join('\n').toLowerCase()
}
