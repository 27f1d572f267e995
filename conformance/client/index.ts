import type { Case } from '../../src/runner/cases/case.ts'
import { clientCostCases } from './costs.ts'
import { clientInterruptedCases } from './interrupted.ts'
import { plainClientCases } from './plain.ts'
import { clientReportCases } from './reports.ts'
import { clientRequestCases } from './requests.ts'
import { clientSigningCases } from './signing.ts'

/** Returns every case for clients. */
export function casesForClients(): readonly Case[] {
  return [
    ...plainClientCases,
    ...clientRequestCases,
    ...clientSigningCases,
    ...clientCostCases,
    ...clientInterruptedCases,
    ...clientReportCases,
  ]
}
