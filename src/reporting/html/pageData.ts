import type { Clause } from '../documents/clauses.ts'
import type { Report } from '../report/model.ts'
import type { SelfCheck } from '../report/selfCheck.ts'

/** The data that the script of a page reads. */
export type PageData = Pick<Report, 'cases' | 'baseUrl'> & {
  /** Those that the cases break, by their requirements. */
  readonly clauses: Readonly<Record<string, Clause>>
  /** Of a page of recordings. */
  readonly selfCheck?: SelfCheck
}
