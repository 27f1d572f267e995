import { expect, test } from 'vitest'
import { toHtml } from '../html/document.ts'
import { toMarkdown } from './markdown.ts'
import {
  type Block,
  code,
  command,
  details,
  link,
  list,
  mark,
  ordered,
  paragraph,
  preformatted,
  quote,
  section,
  strong,
  table,
  terms,
} from './model.ts'
import { toTerminal } from './terminal.ts'

const DOCUMENT: readonly Block[] = [
  section(
    [mark('fail'), ' ', code('tx.data', '#req-tx.data')],
    [
      paragraph('`tx.to` is ', strong('wrong', 'bad'), ', see ', link('https://example.com/1')),
      quote('is hex'),
      command('npx plumbline run', 'replay'),
      terms([
        ['expected', 'hex'],
        ['actual', 'none\nat all'],
      ]),
      list(['one', { blocks: [paragraph('two'), terms([['why', 'so']]), list(['three'])] }]),
      ordered(['first']),
      table('counts', ['suite', 'cases'], [['properties', 1_200]]),
      details('2 more', [preformatted('a\nb')]),
    ],
  ),
]

test('a terminal gets lines, and of what is folded the summary', () => {
  expect(toTerminal(DOCUMENT)).toEqual([
    '',
    'fail tx.data',
    '  `tx.to` is wrong, see https://example.com/1',
    '  “is hex”',
    '  replay: npx plumbline run',
    '  expected hex',
    '  actual   none',
    '           at all',
    '    one',
    '    two',
    '      why so',
    '      three',
    '    1. first',
    '  ┌────────────┬───────┐',
    '  │ suite      │ cases │',
    '  │ properties │  1200 │',
    '  └────────────┴───────┘',
    '  2 more',
  ])
})

test('Markdown gets blocks, each of them whole', () => {
  expect(toMarkdown(DOCUMENT)).toEqual([
    '# **fail** `tx.data`',
    '`tx.to` is **wrong**, see <https://example.com/1>',
    '> is hex',
    '```text\nnpx plumbline run\n```',
    '```text\nexpected hex\nactual   none\n         at all\n```',
    '- one\n- two\n\n  ```text\n  why so\n  ```\n\n  - three',
    '1. first',
    '| suite | cases |\n| --- | ---: |\n| properties | 1200 |',
    '<details><summary>\n\n2 more\n\n</summary>\n\n```text\na\nb\n```\n\n</details>',
  ])
})

test('a page gets HTML with links, marks and buttons that copy', () => {
  expect(toHtml(DOCUMENT).text).toMatchInlineSnapshot(`
    "<h3><span class="mark is-fail"><span aria-hidden="true">✕</span> fail</span> <a href="#req-tx.data"><code>tx.data</code></a></h3><p><code>tx.to</code> is <b class="is-fail">wrong</b>, see <a href="https://example.com/1" rel="noreferrer">https://example.com/1</a></p><blockquote>is hex</blockquote><div class="copyable"><pre tabindex="0" aria-label="replay command"><code>npx plumbline run</code></pre><button type="button" class="copy" data-copy="npx plumbline run">Copy<span class="sr"> replay command</span></button></div><dl class="expected"><div><dt>Expected</dt><dd>hex</dd></div><div><dt>Actual</dt><dd>none
    at all</dd></div></dl><ul class="notes"><li>one</li><li><p>two</p><dl class="expected"><div><dt>Why</dt><dd>so</dd></div></dl><ul class="notes"><li>three</li></ul></li></ul><ol class="notes"><li>first</li></ol><div class="scroll" tabindex="0" role="region" aria-label="counts"><table><thead><tr><th scope="col">Suite</th><th scope="col" class="number">Cases</th></tr></thead><tbody><tr><th scope="row">properties</th><td data-of="cases" class="number">1,200</td></tr></tbody></table></div><details class="gap"><summary>2 more</summary><pre class="message" tabindex="0" aria-label="message">a
    b</pre></details>"
  `)
})

const HOSTILE = [
  '</script><script>alert(1)</script>',
  '<img src=x onerror=owned>',
  '`` ` ``` owned | owned `owned',
  '# owned',
  '',
  '::error::owned',
  '##[group]owned',
  '@owned [owned](javascript:owned) \u001b[2J\r\u202e',
].join('\n')
const EVERYWHERE: readonly Block[] = [
  section(HOSTILE, [
    paragraph(HOSTILE, code(HOSTILE), strong(HOSTILE), link(`javascript:${HOSTILE}`), link(HOSTILE)),
    quote(HOSTILE),
    command(HOSTILE, 'replay'),
    preformatted(HOSTILE),
    terms([['actual', HOSTILE]]),
    list([HOSTILE, { blocks: [paragraph(HOSTILE), preformatted(HOSTILE)] }]),
    table('cells', ['one', 'two'], [[HOSTILE, [code(HOSTILE)]]]),
    details(HOSTILE, [paragraph(HOSTILE)]),
  ]),
]

test('no text is HTML in a page', () => {
  const page = toHtml(EVERYWHERE).text
  expect(page).toContain('owned')
  expect(page).not.toMatch(/<(?:script|img)|href="javascript/i)
})

test('no text is markup, a mention or a command in Markdown', () => {
  const markdown = toMarkdown(EVERYWHERE).join('\n\n')
  // Fenced blocks and spans of code are text as they are.
  const outside = markdown
    .replaceAll(/^( *)(`{3,})text\n[\s\S]*?\n\1\2$/gm, '')
    .replaceAll(/\\.|(`+)(?!`).*?[^`]\1(?!`)/g, (found) => (found.startsWith('\\') ? found : ''))
  expect(markdown).not.toMatch(/^\s*::|##\[|\p{Cc}(?<!\n)|\u202e/mu)
  expect(outside).toContain('owned')
  expect(outside).not.toMatch(/(?<!\\)<(?:script|img)|(?<!<span>)@|(?<!\\)\]\(|^ *# owned/m)
  // A bar in a cell does not end it.
  const [row = ''] = markdown.match(/^\| .*owned.*$/m) ?? []
  expect(row.match(/(?<!\\)\|/g)).toHaveLength(3)
})
