import type { Clause } from '../documents/clauses.ts'
import type { Report } from '../report/model.ts'
import type { SelfCheck } from '../report/selfCheck.ts'

/** The data that the script of a page reads. */
export type PageData = Pick<Report, 'cases' | 'baseUrl'> & {
  /** The clauses that the cases break, by requirement. */
  readonly clauses: Readonly<Record<string, Clause>>
  /** Present on a page of recordings. */
  readonly selfCheck?: SelfCheck
}
