import { expect, test } from 'vitest'
import { describeAudit } from './advisories.ts'

const report = (severity: string) =>
  JSON.stringify({ auditReportVersion: 2, vulnerabilities: { one: { severity, range: '<2' } } })

test.each([
  ['high', false, 'one <2: high; see `npm audit`\n1 packages with advisories, 1 of them severe'],
  ['critical', false, 'one <2: critical; see `npm audit`\n1 packages with advisories, 1 of them severe'],
  ['moderate', true, '1 packages with advisories, 0 of them severe'],
])('an advisory of severity %s is fine: %s', (severity, isFine, text) => {
  expect(describeAudit(report(severity))).toEqual({ text, isChecked: true, isFine })
})

test.each([
  ['{"message":"405 Method Not Allowed - POST https://registry","statusCode":405}', '405 Method Not Allowed'],
  ['', 'no JSON'],
])('a registry that does not answer is said in one sentence', (printed, why) => {
  const { text, ...audit } = describeAudit(printed)
  expect(audit).toEqual({ isChecked: false, isFine: true })
  expect(text).toContain(why)
  expect(text.split('\n')).toHaveLength(1)
})
