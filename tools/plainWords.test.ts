import { expect, it } from 'vitest'
import { idiomsIn } from './plainWords.ts'

it('finds idioms in the text of a guide, and not in its code or quotations', () => {
  const guide = ['The case is not put.', '```text', 'not put', '```', 'Not "put to it" and not `told`.'].join(
    '\n',
  )
  expect(idiomsIn('docs/guide.md', guide)).toEqual([{ line: 1, found: 'not put', instead: 'run, skipped' }])
})

it('finds idioms in the comments and strings of code, and not in its names', () => {
  const code = [
    '/** A thing that it lets go of. */',
    "const letsGo = 'it lets go of it'",
    'letsGo = of // lets go of',
  ].join('\n')
  expect(idiomsIn('src/code.ts', code).map(({ line }) => line)).toEqual([1, 2, 3])
})

it('finds doc comments that open with a noun clause, on one line or several', () => {
  const code = [
    '/** What it is. */',
    '/**',
    ' * How it works.',
    ' * What follows may.',
    ' */',
    '/** Whatever. */',
  ]
  expect(idiomsIn('src/code.ts', code.join('\n')).map(({ line }) => line)).toEqual([1, 3])
})
