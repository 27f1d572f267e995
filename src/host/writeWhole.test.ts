import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { bundled, evaluated } from './testing/evaluated.ts'
import { replaceBuiltin } from './testing/replaceBuiltin.ts'
import { temporaryFolder } from './testing/temporaryFolder.ts'
import { NotWrittenError, writeNew, writeTogether, writeWhole } from './writeWhole.ts'

const MODULE = JSON.stringify(await bundled(new URL('./writeWhole.ts', import.meta.url)))
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const { at } = temporaryFolder()

/** Runs a program that writes, with an optional limit on the size of each file in `ulimit` blocks (512 bytes or more). */
async function run(source: string, blocks?: number): Promise<string> {
  const limit = blocks === undefined ? '' : `ulimit -f ${blocks};`
  const program = `const { writeNew, writeTogether, writeWhole } = await import(${MODULE});${source}`
  const node = [process.execPath, ...evaluated(program)]
  const child = spawn('/bin/sh', ['-c', `${limit} exec "$@"`, 'sh', ...node], {
    cwd: ROOT,
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
      await writeTogether(directory, files, { recordings: own })
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
  await writeTogether(directory, { 'small.json': 'former', 'large.json': 'former' })
  const said = await run(
    `for (const write of [
      () => writeTogether(${JSON.stringify(directory)}, { 'small.json': 'new', 'large.json': 'x'.repeat(4_000_000) }),
      () => writeWhole(${JSON.stringify(join(directory, 'large.json'))}, 'x'.repeat(4_000_000)),
    ]) try { await write() } catch ({ name, code, message }) { console.log(name, code, message) }`,
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

test('a folder that is a file is refused with its name, and a link to a folder is followed', async () => {
  writeFileSync(at('a-file'), 'a file')
  const inFile = at('a-file', 'reports')
  await expect(writeTogether(inFile, { a: '1' })).rejects.toThrow(NotWrittenError)
  expect(() => writeWhole(join(inFile, 'a'), '1')).toThrow(`${inFile} cannot be written: ENOTDIR`)
  mkdirSync(at('linked-to'))
  symlinkSync('linked-to', at('link'))
  await writeTogether(at('link'), { a: '1' })
  expect(writeNew(at('link', 'a'), '2')).toBe(false)
  expect(readFileSync(at('linked-to', 'a'), 'utf8')).toBe('1')
})

const HERE = { pid: process.pid, host: hostname() }
const ELSEWHERE = { pid: 1, host: 'another machine' }
/** No process has this id: it is above the maximum of Linux and macOS. */
const ENDED = { pid: 2 ** 30, host: hostname() }
const LOCK = '.plumbline-lock'
const YEAR_2100_S = 4_102_444_800

/** Creates a folder with a lock that was written at the given time. */
function locked(name: string, holder: unknown, atS = YEAR_2100_S): string {
  const lock = at(name, LOCK)
  mkdirSync(lock, { recursive: true })
  writeFileSync(join(lock, 'holder.json'), JSON.stringify(holder))
  utimesSync(join(lock, 'holder.json'), atS, atS)
  return at(name)
}

test.each([
  ['of a machine that stopped', () => locked('stopped', ELSEWHERE, 1_700_000_000)],
  ['of a process that has ended', () => locked('ended', ENDED)],
  ['that names no process', () => locked('no-process', [{}])],
  [
    'that is an empty folder of the year 2100',
    () => {
      mkdirSync(at('empty', LOCK), { recursive: true })
      utimesSync(at('empty', LOCK), YEAR_2100_S, YEAR_2100_S)
      return at('empty')
    },
  ],
  [
    'that is a file',
    () => {
      mkdirSync(at('file'))
      writeFileSync(at('file', LOCK), 'x')
      return at('file')
    },
  ],
])('a lock %s blocks no writer', async (_whose, make) => {
  const directory = make()
  await writeTogether(directory, { a: '1' })
  expect(readdirSync(directory)).toEqual(['a'])
})

test('a lock of a running process is waited for without blocking this one, and the wait is reported', async () => {
  const directory = locked('held', HERE)
  const release = (text: string) => {
    said.push(text)
    rmSync(join(directory, LOCK), { recursive: true })
  }
  const said: string[] = []
  await writeTogether(directory, { a: '1' }, {}, release)
  expect(said).toEqual([`waiting: ${directory} is being written by process ${process.pid} of ${hostname()}`])
  expect(readdirSync(directory)).toEqual(['a'])
})

test('the wait for a lock is bounded, and its error names the process and the file', async () => {
  const directory = locked('never', ELSEWHERE)
  const start = performance.now()
  const now = vi.spyOn(performance, 'now').mockImplementation(() => start)
  const over = (): void => {
    now.mockImplementation(() => start + 11_000)
  }
  setImmediate(over)
  const problem = `${directory} cannot be written: ${directory} is being written by process 1 of another machine; if nobody writes there, remove ${join(directory, LOCK)}`
  await expect(writeTogether(directory, { a: '1' })).rejects.toThrow(problem)
  now.mockRestore()
  expect(readdirSync(directory)).toEqual([LOCK])
})

/** Runs `work` while functions of the file system are replaced. */
async function withFileSystem(replaced: Partial<typeof fs>, work: () => Promise<unknown>): Promise<void> {
  const takeBack = replaceBuiltin(fs, replaced)
  await work().finally(takeBack)
}

test('an abandoned lock that cannot be moved away does not block this process either', async () => {
  const directory = locked('of-another-user', ENDED)
  const lock = join(directory, LOCK)
  const { renameSync } = fs
  // As on a system where a shared folder belongs to another user.
  const move: typeof renameSync = (from, to) => {
    if (from === lock) throw Object.assign(new Error('EPERM: operation not permitted'), { code: 'EPERM' })
    renameSync(from, to)
  }
  const start = performance.now()
  const now = vi.spyOn(performance, 'now').mockImplementation(() => start)
  setImmediate(() => now.mockImplementation(() => start + 11_000))
  await withFileSystem({ renameSync: move }, () =>
    expect(writeTogether(directory, { a: '1' })).rejects.toThrow(
      `${lock} is not the lock of a running process, and comes back or cannot be moved away`,
    ),
  )
  now.mockRestore()
  expect(readdirSync(directory)).toEqual([LOCK])
})

test('a lock that another process takes while it is looked at is left to it', async () => {
  const directory = locked('handed-over', HERE)
  const lock = join(directory, LOCK)
  const { lstatSync, renameSync } = fs
  const movedTo: string[] = []
  let looks = 0
  const look = (path: string, options?: object) => {
    if (!path.endsWith('holder.json')) return lstatSync(path, options)
    looks += 1
    if (looks <= 2) rmSync(lock, { recursive: true })
    try {
      return lstatSync(path, options)
    } finally {
      // The holder has released it, and the next process takes it before the look is over.
      if (looks === 1) locked('handed-over', HERE)
    }
  }
  const move = (from: string, to: string) => {
    if (from === lock) movedTo.push(to)
    renameSync(from, to)
  }
  const replaced = { lstatSync: look, renameSync: move } as unknown as Partial<typeof fs>
  await withFileSystem(replaced, () => writeTogether(directory, { a: '1' }))
  expect(looks).toBe(2)
  expect(movedTo.map((path) => path.split('/').at(-1))).toEqual([LOCK])
  expect(readdirSync(directory)).toEqual(['a'])
})

test('a lock that another process moves away for a moment is still released', async () => {
  mkdirSync(at('moved-away'))
  const lock = join(at('moved-away'), LOCK)
  const { renameSync } = fs
  let attempts = 0
  const move = (from: string, to: string) => {
    if (from === lock) attempts += 1
    if (attempts === 1) throw Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' })
    renameSync(from, to)
  }
  await withFileSystem({ renameSync: move } as unknown as Partial<typeof fs>, () =>
    writeTogether(at('moved-away'), { a: '1' }),
  )
  expect(attempts).toBe(2)
  expect(readdirSync(at('moved-away'))).toEqual(['a'])
})
