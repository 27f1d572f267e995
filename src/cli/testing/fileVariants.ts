import { execFileSync } from 'node:child_process'
import { chmodSync, linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'

const MIB = 1_048_576
/** Most bytes of a file that are read. */
const BYTES_MAX = 64 * MIB

/** Text that a terminal or a CI runner acts upon. */
const ORDERS = '\u001b]0;owned\u0007\u001b[2J\n::stop-commands::x\n##[error]x\r\n::error::x\u202e'

/** A hostile file. */
export interface FileVariant {
  readonly what: string
  make(path: string): unknown
  /** Set if a JSON file may be valid in this form. */
  readonly mayBeFine?: true
}

const listen = (path: string) =>
  new Promise<void>((resolve) => {
    const server = createServer()
    server.listen(path, () => {
      // The name of the socket stays, because the server is not closed.
      server.unref()
      resolve()
    })
  })

/** Things with the name of a file that are not files, or cannot be read. */
const NODES: readonly FileVariant[] = [
  { what: 'a socket', make: listen },
  { what: 'a folder', make: (path) => mkdirSync(path) },
  {
    what: 'a folder of a folder of that name',
    make: (path) => mkdirSync(join(path, 'results.json'), { recursive: true }),
  },
  { what: 'nothing', make: () => {} },
  ...Object.entries({
    'a device without end': () => '/dev/zero',
    'a device that is empty': () => '/dev/null',
    'a terminal': () => '/dev/tty',
    'a file of the system that is never at its end': () => '/proc/kmsg',
    'a file of the system without a size': () => '/proc/self/environ',
    itself: (path: string) => path,
    nothing: (path: string) => `${path}.none`,
    'the folder that it is in': (path: string) => dirname(path),
  }).map(([to, of]) => ({
    what: `a link to ${to}`,
    make: (path: string) => symlinkSync(of(path), path),
  })),
  {
    what: 'a file that nobody may read',
    make: (path) => {
      writeFileSync(path, '')
      chmodSync(path, 0)
    },
  },
  {
    what: 'five gigabytes',
    make: (path) => {
      writeFileSync(path, '')
      truncateSync(path, 5 * 1024 * MIB)
    },
  },
  {
    what: 'one byte more than is read',
    make: (path) => {
      writeFileSync(path, '')
      truncateSync(path, BYTES_MAX + 1)
    },
  },
]

const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`

/** Contents that are not valid for any kind of file. */
const CONTENTS: Readonly<Record<string, () => string | Buffer>> = {
  'no byte': () => '',
  'a space': () => ' \n',
  zeros: () => Buffer.alloc(100_000),
  'no UTF-8': () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
  'UTF-16': () => Buffer.from('\ufeff{"schema":1}', 'utf16le'),
  'a byte order mark': () => '\ufeff{}',
  'a program': () => '#!/bin/sh\nexit 0\n',
  'an archive': () => Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]),
  'the text null': () => 'null',
  true: () => 'true',
  NaN: () => 'NaN',
  'a number': () => '-0',
  'an infinite number': () => '1e999999',
  'a number of a million digits': () => '9'.repeat(1_000_000),
  'a word': () => '"x"',
  'a word of a megabyte': () => JSON.stringify('x'.repeat(MIB)),
  'a line of 4 MB': () => `{"start":"${'x'.repeat(4_000_000)}"}`,
  'an empty list': () => '[]',
  'a list of a million': () => `[${'0,'.repeat(999_999)}0]`,
  'a million brackets': () => '['.repeat(1_000_000),
  'lists that end': () => nested('[', ']', 100_000),
  'objects that end': () => nested('{"a":', '}', 100_000),
  'twenty thousand members': () =>
    JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`x${n}`, n]))),
  'names of every object': () => '{"__proto__":{"schema":1},"constructor":1,"toString":2,"hasOwnProperty":3}',
  'a member of half a megabyte': () => JSON.stringify({ ['y'.repeat(MIB / 2)]: 1 }),
  'orders to a terminal': () => ORDERS,
  'orders in a name': () => JSON.stringify({ [ORDERS]: 1 }),
  'orders in a value': () => JSON.stringify({ schema: ORDERS }),
  'lone surrogates': () => '{"\\ud800":"\\udfff"}',
  'a line behind it': () => '{}\n{}',
}

/** Returns hostile files that need no valid one. @param folder the folder for their contents. */
export function standingVariants(folder: string): readonly FileVariant[] {
  const contents = Object.entries(CONTENTS).map(([what, content], index): FileVariant => {
    const kept = join(folder, String(index))
    writeFileSync(kept, content())
    return { what, make: (path) => linkSync(kept, path) }
  })
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  return [{ what: 'a named pipe', make: (path) => linkSync(pipe, path) }, ...NODES, ...contents]
}

/** Returns hostile variants of the text of a valid file. */
export function variantsOf(good: string): readonly FileVariant[] {
  const half = good.slice(0, good.length / 2)
  const spoiled: Readonly<Record<string, string | Buffer>> = {
    'cut after one character': good.slice(0, 1),
    'cut after a tenth': good.slice(0, good.length / 10),
    'cut in the middle': half,
    'cut before its last character': good.trimEnd().slice(0, -1),
    'without its first character': good.slice(1),
    'behind a byte order mark': `\ufeff${good}`,
    'in UTF-16': Buffer.from(good, 'utf16le'),
    'with a byte that is no UTF-8': Buffer.concat([
      Buffer.from(half),
      Buffer.from([0xff]),
      Buffer.from(good),
    ]),
    'with a zero in the middle': `${half}\0${good.slice(half.length)}`,
    'with orders in the middle': `${half}${ORDERS}${good.slice(half.length)}`,
    'with a comment before it': `// ${ORDERS}\n${good}`,
    'with a comma behind it': `${good},`,
    'with orders behind it': `${good}${ORDERS}`,
    twice: `${good}${good}`,
    'in a list': `[${good}]`,
    'in itself': `{"x":${good}}`,
    'with a number that is none': good.replace(/:\s*"[^"]*"/, ': NaN'),
    'with a number that is infinite': good.replace(/:\s*"[^"]*"/, ': 1e999999'),
  }
  const maybe: Readonly<Record<string, string>> = {
    'with the line ends of Windows': good.replaceAll('\n', '\r\n'),
    'with a million blanks behind it': `${good}${' '.repeat(1_000_000)}`,
    'with its first member twice': good.replace(/^\{/, '{"schema":1,'),
    'with the prototype of every object': good.replace(/^\{/, '{"__proto__":{"schema":1},'),
  }
  return [
    ...Object.entries(spoiled).map(([what, content]) => ({
      what,
      make: (path: string) => writeFileSync(path, content),
    })),
    ...Object.entries(maybe).map(([what, content]) => ({
      what,
      make: (path: string) => writeFileSync(path, content),
      mayBeFine: true as const,
    })),
  ]
}

const LONG = JSON.stringify('x'.repeat(MIB))
const MANY = `[${'"x",'.repeat(199_999)}"x"]`

/** Replacements for a value, as JSON text. */
const VALUES: Readonly<Record<string, string>> = {
  null: 'null',
  'an infinite number': '-1e999999',
  'a number that no computer has': '123456789012345678901234567890',
  'minus zero': '-0',
  'half of one': '0.5',
  'an empty text': '""',
  'an empty list': '[]',
  'an empty object': '{}',
  'a text of a megabyte': LONG,
  '200,000 entries': MANY,
  'orders to a terminal': JSON.stringify(ORDERS),
  'an order at the start of a line': '"::error::x"',
  'a path out of its folder': '"../../../../../../etc/passwd"',
  'a name of every object': '"__proto__"',
}

const MARK = 'the place of a value'

/**
 * Returns hostile variants of a valid file in which one value is replaced: in a small file each value with each replacement, in a
 * large one a selection in which every replacement occurs often. The entries of a list count as one value.
 */
export function fieldVariantsOf(good: unknown): readonly FileVariant[] {
  const all = replacedIn(good)
  const step = STEPS.find((each) => all.length / each <= FIELD_VARIANTS) ?? 1
  return all.filter((_, index) => index % step === 0)
}

/** Approximate number of these variants for each kind of file. */
const FIELD_VARIANTS = 60
/** Coprime to the number of replacements, so that a selection includes all of them. */
const STEPS = [1, 3, 5, 9, 11, 13, 17, 19, 23, 25, 27, 29, 31, 33, 37, 39, 41, 45, 47, 51]

function replacedIn(good: unknown): readonly FileVariant[] {
  return pathsOf(good).flatMap((path) => {
    const [before = '', after = ''] = JSON.stringify(withMark(good, path)).split(JSON.stringify(MARK))
    return Object.entries(VALUES).map(([value, content]) => ({
      what: `${value} at /${path.join('/')}`,
      make: (file: string) => writeFileSync(file, `${before}${content}${after}`),
      mayBeFine: true as const,
    }))
  })
}

type Path = readonly string[]

function pathsOf(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inside = Object.entries(value)
  const looked = Array.isArray(value) ? inside.slice(0, 1) : inside
  const within = looked.flatMap(([name, each]) => pathsOf(each, [...path, name]))
  return path.length === 0 ? within : [path, ...within]
}

function withMark(value: unknown, [name, ...rest]: Path): unknown {
  if (name === undefined) return MARK
  if (Array.isArray(value))
    return value.map((each, index) => (String(index) === name ? withMark(each, rest) : each))
  const member = (value as Record<string, unknown>)[name]
  return { ...(value as object), [name]: withMark(member, rest) }
}
