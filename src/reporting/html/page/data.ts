import type { Report } from '../../report/model.ts'

export type PageData = Pick<Report, 'results' | 'baseUrl'>

/** What the page was written with. */
export function pageData(): PageData {
  return JSON.parse(document.getElementById('data')?.textContent ?? '{"results":[],"baseUrl":null}')
}
