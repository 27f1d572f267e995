import type { Report } from '../../report/model.ts'

export type PageData = Pick<Report, 'cases' | 'baseUrl'>

/** What the page was written with. */
export function pageData(): PageData {
  return JSON.parse(document.getElementById('data')?.textContent ?? '{"cases":[],"baseUrl":null}')
}
