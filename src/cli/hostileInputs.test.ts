import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { exampleCase, exampleResults } from '../reporting/testing/exampleResults.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { plumbline } from './testing/plumbline.ts'

const GOLDEN = 'reports/golden/window.still-pending-at-end.json'
const MIB = 1_048_576
const folder = temporaryFolder()

const text = (content: string | Buffer) => (path: string) => writeFileSync(path, content)
const json = (value: unknown) => text(JSON.stringify(value))
const run = (file: string, ...args: string[]) => execFileSync(file, args)
const deep = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`
const times = (count: number, entry: unknown) => Array(count).fill(entry)

/** What may have the name of a file. None of it is a file of the kind that is named, so that each must be refused. */
const VARIANTS: Readonly<Record<string, (path: string) => unknown>> = {
  'a named pipe': (path) => run('mkfifo', path),
  'a link to a device without end': (path) => symlinkSync('/dev/zero', path),
  'a link to a device that is empty': (path) => symlinkSync('/dev/null', path),
  'a link to a terminal': (path) => symlinkSync('/dev/tty', path),
  'a socket': (path) =>
    new Promise<void>((resolve) => {
      const server = createServer()
      server.listen(path, () => {
        // The name stays where whoever listened has not closed.
        server.unref()
        resolve()
      })
    }),
  'a folder': (path) => mkdirSync(path),
  'a folder of a folder of that name': (path) => mkdirSync(join(path, 'results.json'), { recursive: true }),
  'a link to itself': (path) => symlinkSync(path, path),
  'a link to nothing': (path) => symlinkSync(`${path}.none`, path),
  'a link to the folder that it is in': (path) => symlinkSync(dirname(path), path),
  'a file of the system that is never at its end': (path) => symlinkSync('/proc/kmsg', path),
  'a file of the system without a size': (path) => symlinkSync('/proc/self/environ', path),
  'five gigabytes': (path) => run('truncate', '-s', '5G', path),
  'one byte more than is read': (path) => run('truncate', '-s', String(64 * MIB + 1), path),
  'a file that nobody may read': (path) => {
    writeFileSync(path, '{}')
    chmodSync(path, 0)
  },
  nothing: text(''),
  'a space': text(' \n'),
  zeros: text(Buffer.alloc(100_000)),
  'no UTF-8': text(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])),
  'UTF-16': text(Buffer.from('\ufeff{"schema":1}', 'utf16le')),
  'a byte order mark': text('\ufeff{}'),
  'a program': text('#!/bin/sh\nexit 0\n'),
  'an archive': text(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])),
  'the text null': text('null'),
  'a word': json('x'),
  'a number': text('-0'),
  'an infinite number': text('1e999'),
  'a number of a million digits': text('9'.repeat(1_000_000)),
  'a word of a megabyte': json('x'.repeat(MIB)),
  'an empty list': json([]),
  'a list of half a million': json(times(500_000, 0)),
  'a million brackets': text('['.repeat(1_000_000)),
  'lists that end': text(deep('[', ']', 100_000)),
  'objects that end': text(deep('{"a":', '}', 100_000)),
  'a hundred thousand members': json(Object.fromEntries(times(100_000, 0).map((_, n) => [`x${n}`, n]))),
  'names of every object': text('{"__proto__":{"schema":1},"constructor":1,"toString":2,"hasOwnProperty":3}'),
  'a member of half a megabyte': json({ ['y'.repeat(MIB / 2)]: 1 }),
  'orders to a terminal': json({ '\u001b]0;owned\u0007\u001b[2J\n::stop-commands::x\n##[error]': 1 }),
  'lone surrogates': text('{"\\ud800":"\\udfff"}'),
  'half of it': text('{"schema":"plumbline-'),
  'a line behind it': text('{}\n{}'),
  'lists where members are': json({
    schema: [],
    only: times(200_000, 'x'),
    start: [],
    keys: [],
    entries: {},
  }),
  'a command of 20 MB': json({ start: 'x'.repeat(20_000_000) }),
  'so much to choose': json({ only: times(200_000, 'x') }),
}

const target = ['conform', '--target', 'http://127.0.0.1:9', '--no-config', '--list']
const besides = (name: string, path: string) => join(dirname(path), name)
/** A run next to which a file has another name. */
const withResults = (path: string) => {
  writeFileSync(besides('results.json', path), JSON.stringify(exampleResults([exampleCase('a')])))
  return dirname(path)
}
/** Every kind of file that Plumbline reads of others: its name in a folder, and the command that reads it. */
const KINDS: Readonly<Record<string, readonly [name: string, argv: (path: string) => readonly string[]]>> = {
  configuration: ['c.json', (path) => ['conform', '--list', '--config', path]],
  capabilities: ['c.json', (path) => [...target, '--capabilities', path]],
  keys: ['k.json', (path) => [...target, '--keys', path]],
  manifest: ['m.json', (path) => [...target, '--sandbox', path]],
  baseline: ['b.json', (path) => [...target, '--baseline', path]],
  scenario: ['s.json', (path) => ['simulate', path]],
  'scenarios of a target': ['s.json', (path) => [...target, '--scenarios', path]],
  'kept failure': ['f.json', (path) => ['property', '--list', '--failures', dirname(path)]],
  results: ['results.json', (path) => ['report', dirname(path)]],
  'results by their path': ['r.json', (path) => ['report', path]],
  'results to compare with': ['r.json', (path) => ['report', withResults(path), '--against', path]],
  about: ['about.json', (path) => ['report', withResults(path)]],
  shard: ['results.json', (path) => ['merge', dirname(path), '--out', besides('merged', path)]],
  recording: ['r.json', (path) => ['show', path]],
  'recording to execute': ['r.json', (path) => ['replay', path]],
  'recordings to compare': ['r.json', (path) => ['diff', path, GOLDEN]],
  'recordings to draw': ['r.json', (path) => ['report', '--recording', path, '--out', dirname(path)]],
  'private key': ['k', (path) => ['sign', '--key', path, GOLDEN]],
  'kept recordings': ['recordings', (path) => ['report', withResults(path)]],
}
/** What is no mistake of a kind: a file that need not be there is missing, or the link leads to a folder that holds one. */
const FINE: Readonly<Record<string, readonly string[]>> = {
  // Root reads every file.
  configuration: process.getuid?.() === 0 ? ['a file that nobody may read'] : [],
  'results to compare with': ['a link to the folder that it is in'],
  about: ['a link to nothing'],
  'kept recordings': ['a link to nothing', 'a link to itself'],
}

/** An error that nobody foresaw, or more than a person reads. */
const UNFORESEEN = /\n\s+at .+:\d+:\d+|unexpected error/
const CHARACTERS_MAX = 5_000

test.each(Object.entries(KINDS))('%s: nothing hangs, nothing prints a stack', async (kind, [name, argv]) => {
  const problems: string[] = []
  for (const [variant, make] of Object.entries(VARIANTS)) {
    const path = folder.at(kind, variant, name)
    mkdirSync(dirname(path), { recursive: true })
    await make(path)
    const { code, text: said } = await plumbline(...argv(path))
    const problem = UNFORESEEN.test(said)
      ? 'is no error that was foreseen'
      : code === EXIT.conforms && FINE[kind]?.includes(variant)
        ? null
        : said.length > CHARACTERS_MAX
          ? `is said in ${said.length} characters`
          : code === EXIT.conforms
            ? 'is fine'
            : null
    if (problem !== null) problems.push(`${variant} ${problem}: ${said.slice(0, 300)}`)
  }
  expect(problems.join('\n')).toBe('')
})

test('a folder of recordings that cannot be copied costs a merge its files, and prints no stack', async () => {
  const shard = folder.at('shard')
  mkdirSync(join(shard, 'recordings'), { recursive: true })
  cpSync(GOLDEN, join(shard, 'recordings', 'r.json'))
  run('mkfifo', join(shard, 'recordings', 'pipe.json'))
  writeFileSync(join(shard, 'results.json'), JSON.stringify(exampleResults([exampleCase('a')])))
  const { text: said } = await plumbline('merge', shard, '--out', folder.at('merged'))
  expect(said).not.toMatch(UNFORESEEN)
})
