import { describePrograms } from '../../recordings/record/environment.ts'
import { ABOUT_SCHEMA, type About } from '../../reporting/report/about.ts'

const DIGITS = 12

/** How a run went: how long it took, and which programs ran. */
export function aboutRun(run: Pick<About, 'replay' | 'baseUrl' | 'durationMs'>): About {
  const { plumbline, node, serviceSha256, anvil } = describePrograms()
  return {
    schema: ABOUT_SCHEMA,
    ...run,
    versions: [
      { name: 'Plumbline', value: plumbline },
      { name: 'Node', value: node },
      { name: 'Anvil', value: `${anvil.platform} ${anvil.sha256.slice(0, DIGITS)}` },
      { name: 'Reference', value: serviceSha256.slice(0, DIGITS) },
    ],
  }
}
