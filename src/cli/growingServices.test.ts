import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { plumbline } from './testing/plumbline.ts'

const SERVICE = 'src/cli/testdata/plain-service.mjs'
const folder = temporaryFolder()

/** Returns the output of a run, with masks for what differs between runs and for the number of untested requirements. */
const masked = (lines: readonly string[]) =>
  `${lines
    .filter((line) => !/^\d+ of \d+ cases after/.test(line))
    .join('\n')
    .replaceAll(folder.path, 'OUT')
    .replaceAll(/(127\.0\.0\.1:)\d+/g, '$1PORT')
    .replaceAll(/\b\d+ ms:/g, 'N ms:')
    .replaceAll(/(?<=waited: |not tested )\d+/g, 'N')
    .replaceAll(/(?<=^│ [a-z]+ +│) +\d+|(?<=│) +\d+(?= │ +\d+ │ +\d+ │$)/gm, (cell) =>
      'N'.padStart(cell.length),
    )}\n`

/**
 * Faults of a service that is still growing, each with the cases of a short run. `npx vitest run -u` regenerates the outputs: read
 * the difference as the author of such a service would. Most of the time is spent waiting.
 */
test.concurrent.for([
  [
    'no-time-out',
    'does-not-conform',
    ['quote.duration.chain-silent', 'case:confirm.refuses.json', 'case:confirm.depth'],
  ],
  ['quote-only', 'does-not-conform', ['quote.serves.slippage.*', 'build.serves.*', 'confirm.refuses.json']],
  ['drops-and-exits', 'inconclusive', ['quote.serves.slippage.*', 'quote.serves.unknown-token.*']],
] as const)(
  'the whole output of a service with the fault %s: %s',
  async ([fault, verdict, only], { expect }) => {
    const out = folder.at(`${fault}.${verdict}`)
    const argv = ['conform', '--start', `node ${SERVICE} --fault ${fault}`, '--out', out]
    const { code, lines } = await plumbline(...argv, '--only', ...only)
    expect(code, lines.join('\n')).toBe(EXIT[verdict])
    await expect(masked(lines)).toMatchFileSnapshot(
      fileURLToPath(new URL(`testdata/${fault}.${verdict}.txt`, import.meta.url)),
    )
  },
)

test('the last output of a crashed service is in the comment, and folded in the report and its timeline', () => {
  const [comment = '', report = ''] = ['comment.md', 'report.html'].map((name) =>
    readFileSync(folder.at('drops-and-exits.inconclusive', name), 'utf8'),
  )
  for (const text of [comment, report]) expect(text).toContain("(reading 'amountOut')")
  expect(report.replaceAll(/<wbr>|(?<=<pre) [^>]*/g, '')).toMatch(
    /<p class="blame">It ended early: no response .*<\/p><details class="gap"><summary>It ended .* printed last:<\/summary><pre>TypeError/,
  )
})
