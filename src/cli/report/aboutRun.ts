import { describePrograms } from '../../recordings/record/environment.ts'
import { ABOUT_SCHEMA, type About } from '../../reporting/report/about.ts'
import { specificationChecked } from '../../reporting/report/specification.ts'

const DIGITS = 12

/** Returns how a run went: when it ended, how long it took, what it checked, and which programs ran. */
export function aboutRun(run: Pick<About, 'replay' | 'baseUrl' | 'durationMs'>): About {
  const { plumbline, node, serviceSha256, anvil } = describePrograms()
  return {
    schema: ABOUT_SCHEMA,
    ...run,
    endedAt: new Date().toISOString(),
    specification: specificationChecked(),
    versions: [
      { name: 'Plumbline', value: plumbline },
      { name: 'Node', value: node },
      { name: 'Anvil', value: `${anvil.platform} ${anvil.sha256.slice(0, DIGITS)}` },
      { name: 'Reference', value: serviceSha256.slice(0, DIGITS) },
    ],
  }
}
