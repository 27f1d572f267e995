import { expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { type Anything, all, forged, goldenText } from '../recordings/testing/forge.ts'
import { judgeRecording } from '../recordings/verify/judgeRecording.ts'
import { recordedHistory } from '../recordings/verify/recordedReports.ts'
import { fitLines, widthOf } from '../reporting/document/fitLines.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { plumbline } from './testing/plumbline.ts'

const TEXT = goldenText('reorg.moves-to-later-block')

const folder = temporaryFolder()

async function show(...argv: string[]) {
  const { code, text } = await plumbline('show', ...argv)
  return { code, lines: text.split('\n'), text }
}

test('similar exchanges share a line, with their number', async () => {
  const { lines } = await show(folder.write('budget.json', goldenText('budget.spent')))
  const alike = lines.filter((line) => line.includes('POST /swap/confirm → 404'))
  expect(alike).toHaveLength(1)
  expect(alike[0]).toMatch(/^ {2}120 times: POST/)
})

/** Returns a recording of a service that reports a wrong rate. */
const violating = () =>
  forged(TEXT, (recording) => {
    const build = all(recording, 'http')[0] as Anything
    build.answer.body = build.answer.body.replace(/"midRate":/, '"midRate":9')
    build.answer.headers['content-length'] = String(Buffer.byteLength(build.answer.body))
    const judged = judgeRecording(recording.entries, recordedHistory(recording.entries))
    const first = recording.entries.findIndex(({ kind }: Anything) => kind === 'verdicts')
    const rest = recording.entries.filter(({ kind }: Anything) => kind !== 'verdicts')
    rest.splice(first, 0, ...judged)
    recording.entries = rest
  })

test('a recording is shown from its first step to the root of its seal, in 80 columns', async () => {
  const { code, lines, text } = await show(folder.write('golden.json', TEXT))
  expect(code).toBe(EXIT.conforms)
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80)
  const expected = [
    'reorg.moves-to-later-block, seed 1',
    '+0 s    step 0: build swap: 0.5 ETH → USDG',
    '  POST /swap/build → 200 venue_c; 109 passed, 4 observed',
    /^ {2}block 3 0x\w{6}…\w{4}, at 1700000003 s: tx$/,
    /^ {4}tx: alice −0\.50007\d+ ETH; /,
    /^ {2}blocks 4 to 13, 1 s apart: empty; to 0x\w{6}…\w{4}, at 1700000013 s$/,
    '  POST /swap/confirm → 202 retry after 1 s',
    '  REORGANISED: blocks 3 to 13 left the chain, with tx',
    '  POST /swap/confirm → 200 recorded',
    '  tx, of build swap',
    '    sent in step 1; mined in block 3 (lost at 11 of 12); left the chain with',
    '      block 3 in step 4; mined in block 6 (12 deep)',
    'reports together: 17 passed, 4 observed',
    /^judged: 5 exchanges, \d+ round trips, \d+ blocks, 4 reports, 126 verdicts, 8$/,
    '  observed',
    /^verdict: Holds\. /,
    /^root: [0-9a-f]{64}$/,
  ]
  let from = 0
  for (const wanted of expected) {
    const at = lines.findIndex(
      (line, index) => index >= from && (typeof wanted === 'string' ? line === wanted : wanted.test(line)),
    )
    expect(at, `${wanted} in\n${text}`).toBeGreaterThanOrEqual(from)
    from = at + 1
  }
})

test('every verdict is listed with its section and requirement where that is asked for', async () => {
  const { lines } = await show(folder.write('clauses.json', TEXT), '--verdicts')
  const listed = lines.filter((line) => /^ {2,4}(?:pass|observed) {2}§\d\S* \S/.test(line))
  expect(listed).toHaveLength(126 + 8)
  expect(listed).toContain('    pass  §2.3 tx.data.minimum: amountOut 1249.5 at 50 bps')
  expect((await show(folder.write('clauses.json', TEXT))).text).not.toContain('tx.data.minimum')
  const [answer] = JSON.parse((await show(folder.write('clauses.json', TEXT), '--json')).text).answers
  expect(answer.verdicts).toHaveLength(answer.passed + answer.observed)
})

test('a violation is shown at its exchange, with clause, expected and actual', async () => {
  const { code, text } = await show(folder.write('violating.json', violating()))
  expect(code).toBe(EXIT['does-not-conform'])
  expect(text).toMatch(
    /POST \/swap\/build → 200 venue_c; \d+ passed, .*\d FAILED\n {4}clause {3}route\.mid-rate\S*, §2\.2: “/,
  )
  expect(text).toMatch(/\n {4}expected .*\n(?: .*\n)*? {4}actual {3}/)
  expect(text).toMatch(/verdict: Genuine, but violates requirements\. .*judges\s+find\s+1\s+violation\./s)
  expect((await show(folder.at('violating.json'), '--quiet')).text).toContain('route.mid-rate')
})

test('an altered recording is shown as what the file says, and refused', async () => {
  const altered = folder.write(
    'altered.json',
    TEXT.replace('"status":202,"headers":{', '"status":201,"headers":{'),
  )
  const { code, text } = await show(altered, 'no-such-file.json', folder.write('again.json', TEXT))
  expect(code).toBe(EXIT['does-not-conform'])
  expect(text).toContain('POST /swap/confirm → 201')
  expect(text).toMatch(/verdict: Refused\. It proves nothing: entry \d+, answer\.status: does/)
  expect(text).toMatch(/no-such-file\.json: REFUSED\n.*there is no file/)
  expect(text).toContain('verdict: Holds.')
})

test('programs get all of it as JSON', async () => {
  const { code, text } = await show(folder.write('json.json', TEXT), '--json')
  expect(code).toBe(EXIT.conforms)
  expect(JSON.parse(text)).toMatchObject({
    name: 'reorg.moves-to-later-block',
    verdict: 'conforms',
    refused: null,
    root: expect.stringMatching(/^[0-9a-f]{64}$/),
    transactions: [{ name: 'tx', build: 'swap', became: expect.arrayContaining(['sent in step 1']) }],
    reorganisations: [{ step: '4', blocks: [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13], transactions: ['tx'] }],
    timeline: { events: expect.any(Array) },
  })
})

test('hostile text in a recording does not speak to the terminal, nor to a CI runner', async () => {
  const ESC = '\u001b'
  const hostile = `${ESC}]0;owned\u0007${ESC}[2J\r\u202e\n::stop-commands::x ${'##[group]a ::error::b '.repeat(9)}`
  const forgery = forged(TEXT, (recording) => {
    const [script] = all(recording, 'script') as [Anything]
    script.name = hostile
    for (const http of all(recording, 'http') as Anything[]) {
      http.method = hostile
      http.path = hostile
      http.answer.body = JSON.stringify({ error: hostile })
    }
    const steps = all(recording, 'step') as Anything[]
    for (const { sent } of steps) for (const each of sent) each.name = hostile
    const [provenance] = all(recording, 'provenance') as [Anything]
    provenance.plumbline = hostile
  })
  const { code, lines } = await show(folder.write('hostile.json', forgery))
  expect(code).toBe(EXIT['does-not-conform'])
  for (const line of lines) {
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}]|^\s*::|##\[/u)
    expect(line.length).toBeLessThanOrEqual(80)
  }
})

test('text is broken at spaces, and a break never begins a command', () => {
  expect(fitLines('one two three', 9, 2, 4)).toEqual(['  one two', '    three'])
  expect(fitLines('x'.repeat(45), 20)).toEqual(['x'.repeat(20), 'x'.repeat(20), 'x'.repeat(5)])
  expect(fitLines(`${'x'.repeat(18)} ::error::y`, 24)).toEqual(['x'.repeat(18), '\\u003a:error::y'])
  expect([{ isTTY: true, columns: 120 }, { isTTY: true, columns: 9 }, {}].map(widthOf)).toEqual([120, 40, 80])
})
