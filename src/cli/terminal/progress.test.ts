import { PassThrough } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import { runProgress } from './progress.ts'

afterEach(() => vi.unstubAllEnvs())

function progressOn(columns: number | undefined, silent = false) {
  const stream = Object.assign(new PassThrough(), { isTTY: columns !== undefined, columns })
  const lines: string[] = []
  const output = { out: () => {}, err: (line: string) => lines.push(line) }
  const progress = runProgress(output, silent, 'runs', stream as unknown as NodeJS.WriteStream)
  progress.start(3)
  progress.step('one')
  progress.end()
  return { lines, drawn: stream.read() !== null }
}

test.each([
  ['a pipe', undefined],
  ['a terminal that does not know its width', 0],
])('%s gets one line, and nothing that updates itself', (_name, columns) => {
  expect(progressOn(columns)).toEqual({ lines: ['running 3 runs'], drawn: false })
})

test.each([
  ['cases', 'running 1 case'],
  ['properties', 'running 1 property'],
])('a run of one of the %s counts one', (things, expected) => {
  const stream = Object.assign(new PassThrough(), { isTTY: false })
  const lines: string[] = []
  const output = { out: () => {}, err: (line: string) => lines.push(line) }
  const progress = runProgress(output, false, things, stream as unknown as NodeJS.WriteStream)
  progress.start(1)
  progress.end()
  expect(lines).toEqual([expected])
})

test('a silent run shows no progress', () => {
  expect(progressOn(undefined, true)).toEqual({ lines: [], drawn: false })
})

test('a pipe gets a line every ten seconds until the run ends, which names what runs', () => {
  const stream = Object.assign(new PassThrough(), { isTTY: false })
  const lines: string[] = []
  const output = { out: () => {}, err: (line: string) => lines.push(line) }
  const running = new Map<() => void, number>()
  const repeat = (periodMs: number, act: () => void) => {
    running.set(act, periodMs)
    return () => running.delete(act)
  }
  const pass = (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) for (const act of running.keys()) act()
  }
  const progress = runProgress(output, false, 'runs', stream as unknown as NodeJS.WriteStream, repeat)
  progress.start(3)
  expect([...running.values()]).toEqual([1_000])
  progress.step('one')
  pass(10)
  progress.running(['two', 'three'])
  pass(4)
  progress.running(['three'])
  progress.step('two')
  pass(6)
  progress.end()
  pass(10)
  expect(lines).toEqual([
    'running 3 runs',
    '1 of 3 runs after 10 s',
    '2 of 3 runs after 20 s, running three for 10 s',
  ])
})

test('a terminal names what runs, and for how long if it is long', () => {
  vi.stubEnv('CI', undefined)
  vi.stubEnv('TERM', 'xterm')
  const drawn: string[] = []
  const moves = { cursorTo: () => true, clearLine: () => true, moveCursor: () => true }
  const stream = { isTTY: true, columns: 200, write: (text: string) => drawn.push(text) > 0, ...moves }
  const output = { out: () => {}, err: () => {} }
  const ticks: (() => void)[] = []
  const repeat = (periodMs: number, act: () => void) => {
    expect(periodMs).toBe(1_000)
    ticks.push(act)
    return () => ticks.pop()
  }
  const progress = runProgress(output, false, 'cases', stream as unknown as NodeJS.WriteStream, repeat)
  const shown = () => {
    progress.above(() => {})
    return drawn.join('')
  }
  progress.start(3)
  progress.running(['one', 'two'])
  expect(shown()).toContain('0/3 one, two')
  progress.running(['two'])
  progress.step('one')
  for (let second = 0; second < 5; second += 1) ticks[0]?.()
  expect(shown()).toContain('1/3 two for 5 s')
  progress.running([])
  progress.step('two')
  expect(shown()).toContain('2/3 two')
  progress.end()
  expect(ticks).toEqual([])
})
