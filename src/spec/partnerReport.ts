/**
 * The partner report of §4.3 rule 8, whose address and names are not shown: where the suite looks for it, and what it calls
 * its figures. A target may say where they are instead.
 */
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

/** Describes how a target serves its report: a path below the base URL, and for each figure its name, with a dot for each level. */
export interface PartnerReport {
  readonly path: string
  readonly fields: Readonly<Record<ReportFigure, string>>
  /** How old its figures may be, in seconds. */
  readonly lagS: number
}
