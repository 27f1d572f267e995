import type { Ending } from './model.ts'

/** A symbol and a word for each status, because many readers, and paper, cannot rely on colour. */
export const SIGNS: Readonly<Record<Ending, string>> = {
  pass: '✓',
  fail: '✕',
  excused: '≈',
  observed: '◉',
  'not-kept': '≠',
  inconclusive: '?',
  untested: '○',
  'not-applicable': '–',
  skipped: '»',
  untestable: '⊘',
}

const WORDS: Readonly<Partial<Record<Ending, string>>> = {
  'not-kept': 'not kept',
  untested: 'not tested',
  'not-applicable': 'not applicable',
  untestable: 'not testable',
}

export function wordOf(ending: Ending): string {
  return WORDS[ending] ?? ending
}
