import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { evaluated } from './testing/evaluated.ts'
import { temporaryFolder } from './testing/temporaryFolder.ts'
import { NotWrittenError, writeNew, writeTogether, writeWhole } from './writeWhole.ts'

const MODULE = JSON.stringify(new URL('./writeWhole.ts', import.meta.url).href)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const { at } = temporaryFolder()

/** Runs a program that writes; on `ulimit` blocks of 512 bytes or more for each file, where that is given. */
async function run(source: string, blocks?: number): Promise<string> {
  const limit = blocks === undefined ? '' : `ulimit -f ${blocks};`
  const program = `const { writeNew, writeTogether, writeWhole } = await import(${MODULE});${source}`
  const node = [process.execPath, ...evaluated(program)]
  const child = spawn('/bin/sh', ['-c', `${limit} exec "$@"`, 'sh', ...node], {
    cwd: ROOT,
    env: { ...process.env, TSX_DISABLE_CACHE: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  expect(code, said).toBe(0)
  return said
}

const NAMES = ['results.json', 'verdicts.json', 'report.html']

test('writers in one folder at the same time lose nothing, and the last one leaves all of its files', async () => {
  const directory = at('shared', 'latest')
  const writer = (who: string) => `
    import { mkdirSync, writeFileSync } from 'node:fs'
    const directory = ${JSON.stringify(directory)}
    const own = ${JSON.stringify(at(who))}
    for (let turn = 0; turn < 8; turn += 1) {
      const text = '${who} ' + turn
      mkdirSync(own, { recursive: true })
      writeFileSync(own + '/recording.json', text)
      const files = Object.fromEntries(${JSON.stringify(NAMES)}.map((name) => [name, text]))
      writeTogether(directory, files, { recordings: own })
      writeWhole(directory + '/baseline.json', text)
      let number = 1
      while (!writeNew(directory + '/kept.' + number + '.json', text)) number += 1
    }`
  await Promise.all(['one', 'two', 'three'].map((who) => run(writer(who))))
  const read = (name: string) => readFileSync(join(directory, name), 'utf8')
  const [first] = NAMES
  for (const name of [...NAMES, 'recordings/recording.json']) expect(read(name)).toBe(read(first as string))
  const kept = Array.from({ length: 24 }, (_, index) => `kept.${index + 1}.json`)
  expect(readdirSync(directory).sort()).toEqual([...NAMES, ...kept, 'baseline.json', 'recordings'].sort())
  expect(new Set(kept.map(read)).size).toBe(24)
})

test('a file for which there is no space leaves the former one, and nothing else', async () => {
  const directory = at('full')
  writeTogether(directory, { 'small.json': 'former', 'large.json': 'former' })
  const said = await run(
    `for (const write of [
      () => writeTogether(${JSON.stringify(directory)}, { 'small.json': 'new', 'large.json': 'x'.repeat(4_000_000) }),
      () => writeWhole(${JSON.stringify(join(directory, 'large.json'))}, 'x'.repeat(4_000_000)),
    ]) try { write() } catch ({ name, code, message }) { console.log(name, code, message) }`,
    64,
  )
  expect(
    said.match(/^NotWrittenError EFBIG .*full.* cannot be written: EFBIG: file too large/gm),
  ).toHaveLength(2)
  expect(readdirSync(directory).sort()).toEqual(['large.json', 'small.json'])
  for (const name of ['small.json', 'large.json']) {
    expect(readFileSync(join(directory, name), 'utf8')).toBe('former')
  }
})

test('a folder that is a file is refused with its name, and a link to a folder is followed', () => {
  writeFileSync(at('a-file'), 'a file')
  const inFile = at('a-file', 'reports')
  expect(() => writeTogether(inFile, { a: '1' })).toThrow(NotWrittenError)
  expect(() => writeWhole(join(inFile, 'a'), '1')).toThrow(`${inFile} cannot be written: ENOTDIR`)
  mkdirSync(at('linked-to'))
  symlinkSync('linked-to', at('link'))
  writeTogether(at('link'), { a: '1' })
  expect(writeNew(at('link', 'a'), '2')).toBe(false)
  expect(readFileSync(at('linked-to', 'a'), 'utf8')).toBe('1')
})

test('a lock that a machine left behind when it stopped holds nobody up', () => {
  const directory = at('abandoned')
  const lock = join(directory, '.plumbline-lock')
  mkdirSync(lock, { recursive: true })
  utimesSync(lock, 1_700_000_000, 1_700_000_000)
  writeTogether(directory, { a: '1' })
  expect(readdirSync(directory)).toEqual(['a'])
})
