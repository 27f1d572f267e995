import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changeTexts, REDACTED, redactData, redactorOf } from './redact.ts'
import { redactStream } from './redactStream.ts'

/** A secret that a header can carry. */
const secret = fc
  .array(
    fc.oneof(fc.constantFrom(...`"\\'&<>%+/ #$\`{}`), fc.integer({ min: 0x21, max: 0x7e }).map(character)),
    {
      minLength: 8,
      maxLength: 70,
    },
  )
  .map((characters) => characters.join('').trim())
  // A repetitive secret could be found before its start.
  .filter((text) => text.length >= 8 && new Set(text).size >= 4)

/** Forms in which the harness, or a target in its responses, writes a text. */
const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  nothing: (text) => text,
  'a string of JSON': (text) => JSON.stringify(text).slice(1, -1),
  'a URL': encodeURIComponent,
  'a form': (text) => encodeURIComponent(text).replaceAll('%20', '+'),
  'a URL within JSON': (text) => JSON.stringify(encodeURIComponent(text)).slice(1, -1),
  'a header name': (text) => text.toLowerCase(),
}
const encoding = fc.constantFrom(...Object.keys(ENCODINGS))
/** Text in which no secret starts or ends. */
const around = fc.stringMatching(/^(?:\n|[{}:, ]|é|≠|🙂){0,60}$/u)

const drawn = fc.record({
  secret,
  others: fc.array(secret, { maxLength: 2 }),
  encoding,
  before: around,
  after: around,
})

function encoded({ secret, encoding }: { secret: string; encoding: string }): string {
  return ENCODINGS[encoding]?.(secret) ?? secret
}

/** Expects that the secret is gone, and that the text around it is complete. */
function expectNoTrace(shown: string, { before, after }: { before: string; after: string }): void {
  expect(shown).toBe(`${before}${REDACTED}${after}`)
}

test('a secret is found as it is, and as URLs, forms and JSON write it', () => {
  fc.assert(
    fc.property(drawn, (one) => {
      const redact = redactorOf([...one.others, one.secret])
      const text = `${one.before}${encoded(one)}${one.after}`
      expectNoTrace(redact(text), one)
    }),
    { numRuns: 500 },
  )
})

test('a secret is found in a stream however it is split, and whatever is printed around it is not lost', () => {
  const withSplits = drawn.chain((one) => {
    const bytes = Buffer.from(`${one.before}${encoded(one)}${one.after}`)
    const place = fc.integer({ min: 0, max: bytes.length })
    return fc.record({
      one: fc.constant(one),
      bytes: fc.constant(bytes),
      cuts: fc.array(place, { maxLength: 12 }),
    })
  })
  fc.assert(
    fc.property(withSplits, fc.integer({ min: 0, max: 70_000 }), ({ one, bytes, cuts }, filler) => {
      const stream = redactStream([one.secret, ...one.others])
      const padding = '.'.repeat(filler)
      const places = [0, ...[...cuts].sort((left, right) => left - right), bytes.length]
      const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end))
      const written = [Buffer.from(padding), ...pieces].map((piece) => stream.write(piece)).join('')
      const rest = stream.rest()
      expect(stream.end()).toBe(rest)
      const shown = written + rest
      expect(shown.startsWith(padding)).toBe(true)
      expectNoTrace(shown.slice(padding.length), one)
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['an unknown key', 'authorization: Bearer abc<def, more', 'authorization: Bearer <redacted> more'],
  ['the variable of a curl line', '"Bearer $PLUMBLINE_KEY"', '"Bearer $PLUMBLINE_KEY"'],
  ['a placeholder of a guide', 'Bearer <API_KEY>', 'Bearer <API_KEY>'],
  ['the user of a URL', 'postgres://me:pa:ss@host/db', 'postgres://<redacted>@host/db'],
])('%s', (_name, text, shown) => {
  expect(redactorOf([])(text)).toBe(shown)
  expect(redactorOf([])(shown)).toBe(shown)
  const stream = redactStream([])
  const written = [...text].map((one) => stream.write(Buffer.from(one))).join('')
  expect(written + stream.end()).toBe(shown)
})

test('a stream passes on a whole line at once, and of a line without an end all that is too long for a secret', () => {
  const stream = redactStream(['0123456789'])
  expect(stream.write(Buffer.from('ready\n0123'))).toBe('ready\n')
  expect(stream.rest()).toBe('0123')
  expect(stream.write(Buffer.from('x'.repeat(100_000))).length).toBeGreaterThan(90_000)
})

test('a text of escapes alone is read in about the time that its length needs', () => {
  const redact = redactorOf(['\\"plumbline\\\\key"', '%25abcdefgh', '&amp;abcdefg'])
  for (const part of ['\\', '%25', '&amp;', 'a', '://a', 'Bearer ', '\\"']) {
    const text = part.repeat(100_000)
    expect(redact(text).length).toBeGreaterThan(0)
  }
})

test('data keep their shape: ids stay, and names that are the target’s are searched as well', () => {
  const data = {
    status: 'pass',
    headers: { pass: 'a pass', 'x-pass': 'b', status: 'pass' },
    seen: ['pass', 1, null, true],
  }
  const shown = redactData(data, redactorOf(['pass']), new Set(['status']), new Set(['headers']))
  expect(shown).toEqual({
    status: 'pass',
    headers: { [REDACTED]: `a ${REDACTED}`, [`x-${REDACTED}`]: 'b', status: REDACTED },
    seen: [REDACTED, 1, null, true],
  })
})

test('an error keeps its class and loses the secrets of its texts and of its causes', () => {
  const error = Object.assign(new RangeError('no p4ssw0rd', { cause: new Error('p4ssw0rd') }), {
    output: 'a p4ssw0rd',
    n: 1,
  })
  const shown = changeTexts(error, redactorOf(['p4ssw0rd'])) as typeof error
  expect(shown).toBe(error)
  expect([shown.message, shown.output, (shown.cause as Error).message]).toEqual([
    'no <redacted>',
    'a <redacted>',
    REDACTED,
  ])
  expect(`${shown.stack}${(shown.cause as Error).stack}`).not.toContain('p4ssw0rd')
})

function character(code: number): string {
  return String.fromCharCode(code)
}
