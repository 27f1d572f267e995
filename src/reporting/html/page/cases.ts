import type { PageData } from '../pageData.ts'
import { renderResult, renderResultLine } from '../parts/result.ts'
import { type List, startList } from './list.ts'

/** Writes the lines of all cases, which the browser lays out when they scroll into view; each gets its body when it is opened. */
export function startCases({ cases, baseUrl, clauses }: PageData): List {
  const list = document.getElementById('cases-list')
  if (list) list.innerHTML = cases.map((result, index) => renderResultLine(result, index).text).join('')
  list?.addEventListener(
    'toggle',
    ({ target: line }) => {
      if (!(line instanceof HTMLDetailsElement) || !line.open) return
      const result = cases[Number(line.dataset.result)]
      const body = line.querySelector('.line-body')
      if (result && body && body.childElementCount === 0)
        body.innerHTML = renderResult(result, baseUrl, (id) => clauses[id] ?? null).text
    },
    // `toggle` does not bubble.
    true,
  )
  return startList('cases', ({ dataset }) => textOf(cases[Number(dataset.result)]))
}

function textOf(result: PageData['cases'][number] | undefined): string {
  if (result === undefined) return ''
  const { id, title, suite, requirements, failure, notes } = result
  return [id, title, suite, ...requirements, failure?.message ?? '', ...notes].join('\n')
}
