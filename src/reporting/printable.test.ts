import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asCommand, ownColours, printable } from './printable.ts'

const ESC = '\u001b'
/** Pieces that have a meaning for a terminal or a CI runner, and pieces that join them. */
const pieces = fc.constantFrom(
  // Commands of GitHub, Azure and TeamCity.
  ...['::stop-commands::x', '::error file=a::b', '::', ':', '##[', '##vso[task.setvariable]', '##TeamCity['],
  ...['#', '['],
  // Headings and folds of Buildkite, Travis and GitLab.
  ...['--- ', '+++ x', '~~~ ', '^^^ +++', 'travis_fold:start:', 'section_start:1:x\r', '---'],
  // Space, ends of lines, and characters that hide or reorder others.
  ...[' ', '\t', '\n', '\r', '\r\n', '\u000b', '\u000c', '\u0085', '\u2028', '\u2029', '\u00a0', '\ufeff'],
  ...['\u202e', '\u2066', '\u200b'],
  // Escape sequences and controls.
  ...[`${ESC}[31m`, `${ESC}[2J`, `${ESC}]0;title\u0007`, `${ESC}]8;;http://x${ESC}\\`, `${ESC}c`, ESC],
  ...['\u009b31m', '\u0007', '\b', '\u0000', '\u007f', '\ud800', '\udc00', '\u{e0041}'],
  // What a text consists of, and what our own marks do.
  ...['🙂', 'é', '{"a":', '"', '\\', '31;1;2;3m', '1234;'],
)
const hostile = fc
  .array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 12 })
  .map((all) => all.join(''))

/** Returns the commands that the runners find in what they read line by line. */
function commandsIn(text: string): readonly string[] {
  return text.split(/\r\n|[\n\r\u0085\u2028\u2029]/).filter((line) => {
    const github = line.replace(/^[\s\u0085\u200b\ufeff]+/u, '').startsWith('::')
    return (
      github ||
      /##[a-z]*\[/i.test(line) ||
      /^\s*(?:---|\+\+\+|~~~|\^\^\^)(?:\s|$)|^\s*travis_(?:fold|time):/.test(line)
    )
  })
}

/** Returns the characters that a terminal would act on or would not show in their place. */
function controlsIn(text: string): readonly string[] {
  return (
    text
      .match(/(?![\n\t])[\p{C}\p{Zl}\p{Zp}]/gu)
      ?.filter((character) => !/[\p{Co}\p{Cn}]/u.test(character)) ?? []
  )
}

test('no text speaks to a terminal or to a CI runner, and what it says can still be read', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const shown = printable(text)
      expect([...commandsIn(shown), ...controlsIn(shown)]).toEqual([])
      expect(printable(shown)).toBe(shown)
    }),
    { numRuns: 2_000 },
  )
})

test('JSON stays the JSON that it was', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(hostile), fc.option(fc.constant(2)), (value, texts, indent) => {
      const written = JSON.stringify({ value, texts }, null, indent ?? undefined)
      expect(JSON.parse(printable(written))).toEqual(JSON.parse(written))
    }),
    { numRuns: 500 },
  )
})

test('our own colours and commands stay, around texts that have none', () => {
  const red = ownColours((text) => `${ESC}[31m${text}${ESC}[39m`)
  fc.assert(
    fc.property(hostile, (text) => {
      const inLine = text.replaceAll('\n', '')
      const shown = printable(`- ${red(`- ${inLine}`)}`)
      expect(shown.startsWith(`- ${ESC}[31m- `)).toBe(true)
      expect(shown.endsWith(`${ESC}[39m`)).toBe(true)
      expect(controlsIn(shown.slice(2 + 5, -5))).toEqual([])
      expect(commandsIn(printable(red(text)).replaceAll(new RegExp(`${ESC}\\[\\d+m`, 'g'), ''))).toEqual([])
    }),
  )
  expect(printable(asCommand('::error title=x::y ##[debug]z'))).toBe('::error title=x::y \\u0023#[debug]z')
  expect(printable(`${asCommand('::error::y')}\n::stop-commands::x`)).toBe(
    '::error::y\n\\u003a:stop-commands::x',
  )
  expect(printable(`x${ESC}[31;1234;1234;1234m`)).toBe('x\\u001b[31;1234;1234;1234m')
})

test('a long text is read in about the time that its length needs', () => {
  for (const part of ['\r', ' ', '#', '##a', '::\n', ' \t', `${ESC}[`])
    expect(printable(part.repeat(50_000))).not.toBe('')
})
