import builder, { type Builder } from 'junit-report-builder'
import { describeBaseline, excusesOf } from './baseline.ts'
import { failureText } from './failureText.ts'
import type { Results } from './results.ts'

// The package's types describe its CommonJS form, where the builder is one `default` deeper than in the ESM form.
const junit = builder as unknown as Builder

/**
 * A run as JUnit XML: failures as failures, inconclusive results as errors, and failures that the baseline excuses as skipped.
 * An entry of the baseline that fails the run is a failure of a suite of its own.
 */
export function toJunit(run: Results): string {
  const report = junit.newBuilder()
  const excuses = excusesOf(run)
  for (const { name, cases } of run.suites) {
    const suite = report.testSuite().name(name)
    for (const { id, status, notes, failure } of cases) {
      const testCase = suite.testCase().className(name).name(id)
      if (status === 'not-applicable' || status === 'skipped') testCase.skipped()
      if (status === 'inconclusive' && failure === null)
        testCase.error(
          printable(notes[0] ?? 'nothing was exercised'),
          'inconclusive',
          printable(notes.join('\n')),
        )
      if (failure === null) continue
      const excuse = excuses.get(id)
      if (excuse !== undefined) {
        const why = `known failure, excused until ${excuse.expires}: ${excuse.reason} (${excuse.link})`
        testCase.skipped().standardOutput(printable([why, ...failureText(failure)].join('\n')))
        continue
      }
      const message = printable(failure.message)
      const [first = ''] = message.split('\n', 1)
      const text = printable([`replay: ${failure.replay}`, ...failureText(failure)].join('\n'))
      if (status === 'fail') testCase.failure(first, 'violated requirement').stacktrace(text)
      else testCase.error(first, 'inconclusive', text)
    }
  }
  const outdated = describeBaseline(run).filter(({ kind }) => kind !== 'excused')
  const suite = outdated.length === 0 ? null : report.testSuite().name('baseline')
  for (const { kind, text } of outdated)
    suite?.testCase().className('baseline').name(printable(text)).failure(printable(text), kind)
  return report.build()
}

/** XML cannot represent most control characters, halves of characters and two more; a response may contain any. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, (character) =>
    /[\t\n\r]/.test(character) ? character : '\ufffd',
  )
}
