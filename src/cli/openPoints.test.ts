import { readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import type { Verdicts } from '../reporting/verdicts.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { isAnswer, openPoint } from '../spec/openPoints/index.ts'
import { serve, type TestServer } from '../targets/testing/misbehaving.ts'
import { plumbline } from './testing/plumbline.ts'
import { quotesBelowZero } from './testing/quotesBelowZero.ts'

const folder = temporaryFolder()
let server: TestServer | undefined
afterEach(() => server?.stop())

/** Runs the refusals of `amount` against a service that returns this status below zero, and 400 for zero. */
async function runWith(belowZero: number, name: string, ...more: readonly string[]) {
  server = await serve(quotesBelowZero(belowZero))
  const only = ['--only', 'quote.refuses.amount.*']
  const out = folder.at(name)
  const ended = await plumbline(
    ...['conform', '--target', server.url, '--profile', 'http', '--out', out, ...only, ...more],
  )
  await server.stop()
  return { ...ended, out }
}

const pointsIn = (out: string) =>
  (JSON.parse(readFileSync(`${out}/verdicts.json`, 'utf8')) as Verdicts).openPoints

test('a service that answers one point in two ways is reported with an exchange for each, and fails nothing', async () => {
  const { code, text, out } = await runWith(422, 'mixed')
  expect(code, text).toBe(EXIT.conforms)
  expect(pointsIn(out)).toContainEqual({
    point: 'quote.errors/bad-input',
    level: 'silent',
    answer: 'mixed',
    answers: ['400', '422'],
  })
  expect(text).toContain('1 open point answered in more than one way')
  expect(text).toMatch(/mixed quote\.errors\/bad-input, a request that breaks a rule of §4\.1: /)
  expect(text).toMatch(/422 in \S+: GET \/api\/v1\/quote\?\S*amount=-\S* → 422 \{"error":"refused"\}/)
  expect(text).toMatch(/400 in \S+: GET \/api\/v1\/quote\?\S* → 400 \{"error":"refused"\}/)
  expect(readFileSync(`${out}/report.html`, 'utf8')).toContain('open-points')
})

test('two services are compared point by point, which makes neither worse', async () => {
  const plain = await runWith(400, 'plain')
  expect(pointsIn(plain.out)).toContainEqual({
    ...{ point: 'quote.errors/bad-input', level: 'silent', answer: '400' },
  })
  const mixed = await runWith(422, 'against', '--against', plain.out)
  const line = 'quote.errors/bad-input: 400 → mixed: 400, 422'
  expect(mixed.text).toContain(line)
  const diff = await plumbline('diff', plain.out, mixed.out)
  expect(diff.code).toBe(EXIT.conforms)
  expect(diff.text).toContain('open points answered otherwise: 1')
  expect(diff.text).toContain(line)
  const comment = readFileSync(`${mixed.out}/comment.md`, 'utf8')
  expect(comment).toMatch(/quote\.errors\/bad-input`: `400` → `mixed: 400, 422`/)
  expect((await plumbline('diff', plain.out, plain.out)).text).not.toContain('open points')
})

const PUBLISHED: Readonly<Record<string, Readonly<Record<string, string>>>> = JSON.parse(
  readFileSync(new URL('../../docs/open-points.json', import.meta.url), 'utf8'),
)

test('every published answer is one of the vocabulary of its point', () => {
  for (const answers of Object.values(PUBLISHED))
    for (const [name, answer] of Object.entries(answers)) {
      const point = openPoint(name)
      expect(point !== undefined && isAnswer(point, answer), `${name}: ${answer}`).toBe(true)
    }
})
