import { isObject, membersOf } from './json.ts'

/** The default address and field names of the partner report (§4.3 rule 8), which are not shown. A target may declare others. */
export const PARTNER_REPORT = {
  path: '/api/v1/partner/report',
  fields: {
    confirmedSwaps: 'confirmedSwaps',
    lastConfirmationAt: 'lastConfirmationAt',
    estimatedInputUsd: 'estimatedInputUsd',
    pricedSwaps: 'pricedSwaps',
    unpricedSwaps: 'unpricedSwaps',
  },
  lagS: 0,
} as const

export type ReportFigure = keyof typeof PARTNER_REPORT.fields

/** A target's partner report: a path below the base URL, and the name of each figure, with a dot for each level. */
export interface PartnerReport {
  readonly path: string
  readonly fields: Readonly<Record<ReportFigure, string>>
  /** Maximum age of its figures, in seconds. */
  readonly lagS: number
}

/** Returns the body of a report with its figures under the names of the suite; a body that is not an object stays as it is. */
export function withOurNames(
  body: unknown,
  { fields }: { readonly fields: Readonly<Record<string, string>> },
): unknown {
  if (!isObject(body)) return body
  const named = Object.entries(fields).flatMap(([ours, theirs]) => {
    const value = theirs.split('.').reduce<unknown>((part, name) => membersOf(part)[name], body)
    return value === undefined ? [] : [[ours, value] as const]
  })
  return { ...body, ...Object.fromEntries(named) }
}
