import type { Report } from '../../report/model.ts'
import type { SelfCheck } from '../../report/selfCheck.ts'

export type PageData = Pick<Report, 'cases' | 'baseUrl'> & {
  /** Of a page of recordings. */
  readonly selfCheck?: SelfCheck
}

/** What the page was written with. */
export function pageData(): PageData {
  return JSON.parse(document.getElementById('data')?.textContent ?? '{"cases":[],"baseUrl":null}')
}
