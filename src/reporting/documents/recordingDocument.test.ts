import { expect, test } from 'vitest'
import { toTerminal } from '../document/terminal.ts'
import { explainRecording, type RecordingSummary } from '../report/recordingSummary.ts'
import { recordingDocument } from './recordingDocument.ts'

const CRASHED: RecordingSummary = {
  name: 'quote.serves.amount',
  seed: 1,
  verdict: 'inconclusive',
  refused: null,
  problem:
    'It ended early: its process ended (exit code 7)\nIt printed last:\nTypeError: no amount\n    at main',
  counts: null,
  answers: [],
  root: 'ab',
  entries: 3,
  absent: [],
  basis: [],
  madeBy: [],
}

const shown = (summary: RecordingSummary, quiet = false) =>
  toTerminal(recordingDocument('a.json', summary, null, { quiet, verdicts: false })).join('\n')

test('what a service printed last stands indented below the verdict, and nowhere in a quiet one', () => {
  expect(shown(CRASHED)).toContain(
    'ended (exit code 7).\n  It printed last:\n    TypeError: no amount\n        at main\nroot: ab',
  )
  expect(shown(CRASHED, true)).toContain('ended (exit code 7).\nroot: ab')
  expect(explainRecording(CRASHED)).not.toContain('TypeError')
})

test('a problem in two lines without a log is two sentences', () => {
  const problem = 'It ended early: no response\n3 of 612 requests until now got no response, the others did.'
  expect(explainRecording({ ...CRASHED, problem })).toContain(
    'It ended early: no response. 3 of 612 requests until now got no response, the others did.',
  )
})
