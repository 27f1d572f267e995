import { clientCostCases } from './costs.ts'
import { clientInterruptedCases } from './interrupted.ts'
import { plainClientCases } from './plain.ts'
import { clientReportCases } from './reports.ts'
import { clientRequestCases } from './requests.ts'
import { clientSigningCases } from './signing.ts'
import type { TaskedCase } from './support.ts'

/** Returns every case for clients. */
export function casesForClients(): readonly TaskedCase[] {
  return [
    ...plainClientCases,
    ...clientRequestCases,
    ...clientSigningCases,
    ...clientCostCases,
    ...clientInterruptedCases,
    ...clientReportCases,
  ]
}
