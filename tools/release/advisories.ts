import { z } from 'zod'

const reportSchema = z.object({
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string(), range: z.string() })),
})
const SEVERE: ReadonlySet<string> = new Set(['high', 'critical'])

/** The result of `npm audit --json`. */
export interface Audit {
  readonly text: string
  /** False if the registry did not respond. */
  readonly isChecked: boolean
  readonly isFine: boolean
}

/** Reads the output of `npm audit --json`. */
export function describeAudit(printed: string): Audit {
  const said = parsed(printed)
  const report = reportSchema.safeParse(said)
  if (!report.success) {
    const { message: why = 'no JSON' } = z.object({ message: z.string() }).safeParse(said).data ?? {}
    const text = `SKIPPED: the advisories of packages were not checked, as the registry did not answer: ${why}`
    return { text, isChecked: false, isFine: true }
  }
  const all = Object.entries(report.data.vulnerabilities)
  const severe = all.filter(([, { severity }]) => SEVERE.has(severity))
  const lines = severe.map(
    ([name, { severity, range }]) => `${name} ${range}: ${severity}; see \`npm audit\``,
  )
  const text = [...lines, `${all.length} packages with advisories, ${severe.length} of them severe`].join(
    '\n',
  )
  return { text, isChecked: true, isFine: severe.length === 0 }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
