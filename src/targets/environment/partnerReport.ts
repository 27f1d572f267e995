import type { HttpRequest, Transport } from '../../spec/exchange.ts'
import { PARTNER_REPORT, type PartnerReport } from '../../spec/partnerReport.ts'
import type { TargetDescription } from '../description.ts'

/** Returns the location of the report that a capabilities file gives; it may name only what differs. */
export function partnerReportOf(named: TargetDescription['partnerReport']): PartnerReport {
  const fields = Object.entries(named?.fields ?? {}).filter(([, name]) => name !== undefined)
  return {
    path: named?.path ?? PARTNER_REPORT.path,
    fields: { ...PARTNER_REPORT.fields, ...Object.fromEntries(fields) },
    lagS: named?.lagS ?? PARTNER_REPORT.lagS,
  }
}

/** Returns whether a request is for the partner report, as the suite sends it. */
export function isForReport({ path }: Pick<HttpRequest, 'path'>): boolean {
  return path === PARTNER_REPORT.path
}

/** Returns a transport that requests a report only once its figures are current. */
export function onceCurrent(
  transport: Transport,
  { path, lagS }: PartnerReport,
  pass: (deltaMs: number) => Promise<void>,
): Transport {
  if (lagS === 0) return transport
  return async (request) => {
    if (request.path === path) await pass(lagS * 1_000)
    return transport(request)
  }
}
