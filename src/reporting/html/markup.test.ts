import { expect, test } from 'vitest'
import { formatJson } from './formatJson.ts'
import { breakable, html } from './markup.ts'

test('text is escaped, markup is not, and nothing is nothing', () => {
  const hostile = `"><script>alert('&')</script>`
  expect(html`<p title="${hostile}">${[html`<b>${1}</b>`, null, false, undefined, '<']}</p>`.text).toBe(
    '<p title="&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;"><b>1</b>&lt;</p>',
  )
})

const plain = (text: string) =>
  formatJson(text)
    .text.replace(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')

test.each([
  // Parsed as a number, it would be printed as 12345678901234567000.
  [
    '{"amount":12345678901234567890.10,"ok":true}',
    '{\n  "amount": 12345678901234567890.10,\n  "ok": true\n}',
  ],
  ['{"a":[],"b":{},"c":[1,-2e-7]}', '{\n  "a": [],\n  "b": {},\n  "c": [\n    1,\n    -2e-7\n  ]\n}'],
  ['not JSON, {', 'not JSON, {'],
])('%s is indented with every digit kept', (text, shown) => {
  expect(plain(text)).toBe(shown)
})

test('brackets, commas and quotes inside of strings are text', () => {
  const text = String.raw`{"a":"[,{\"x\":1}]"}`
  expect(plain(text)).toBe(`{\n  "a": ${text.slice(5, -1)}\n}`)
})

test.each([
  ['brackets', '['.repeat(450_000) + ']'.repeat(450_000)],
  ['commas', `[${'1,'.repeat(400_000)}1]`],
])('a body of nothing but %s stays as it is, however long it is', (_what, text) => {
  expect(formatJson(text).text).toBe(text)
})

test('a line may end after the punctuation of JSON and of paths, and not within a name or a number', () => {
  expect(breakable('{"depth":[1,200],"confirmations":0} a/b <').text.split('<wbr>')).toEqual([
    '{',
    '&quot;depth&quot;:',
    '[1,200],',
    '&quot;confirmations&quot;:0} a/',
    'b &lt;',
  ])
})
