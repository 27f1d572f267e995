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
