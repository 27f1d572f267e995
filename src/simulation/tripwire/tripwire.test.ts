import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { arm, SimulationLeakError } from './tripwire.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const SERVICE = 'src/service/quote/planted.ts'
const RPC_URL = 'http://127.0.0.1:8545'

const leaks: string[] = []
let disarm: () => void
beforeEach(() => {
  leaks.length = 0
  disarm = arm({ rpcUrl: RPC_URL, onLeak: ({ api, caller }) => leaks.push(`${api} ${caller}`) })
})
afterEach(() => disarm())

/** Returns a function of a module at `path`, with the code on its third line. */
function planted<T>(path: string, code: string): (...args: unknown[]) => T {
  const source = `(() => {\n  return (require) => {\n    return ${code}\n  }\n})()`
  const run = new Script(source, { filename: `${ROOT}${path}` }).runInThisContext()
  return () => run(createRequire(import.meta.url))
}

describe('in the service', () => {
  it.each([
    ['Date.now', 'Date.now()'],
    ['new Date()', 'new Date()'],
    ['Date()', 'Date()'],
    ['Math.random', 'Math.random()'],
    ['Math.random', '[1].map(Math.random)'],
    ['crypto.randomUUID', 'crypto.randomUUID()'],
    ['crypto.randomUUID', 'require("node:crypto").randomUUID()'],
    ['setTimeout', 'setTimeout(() => {}, 1)'],
    ['setInterval', 'setInterval(() => {}, 1)'],
    ['setTimeout', 'require("node:timers").setTimeout(() => {}, 1)'],
    ['fetch', 'fetch("http://127.0.0.1:1")'],
    ['a socket', 'require("node:net").connect(1, "127.0.0.1")'],
    ['a socket', 'require("node:http").get("http://127.0.0.1:1/")'],
  ])('%s by %s is caught, with its file and line', (api, code) => {
    expect(planted(SERVICE, code)).toThrow(SimulationLeakError)
    expect(leaks).toEqual([`${api} ${SERVICE}:3`])
  })

  it('is caught in a callback that a library calls', () => {
    const call = planted<(callback: () => unknown) => unknown>(
      'node_modules/some-library/index.js',
      '(callback) => callback()',
    )()
    const callback = planted<() => unknown>(SERVICE, '() => Math.random()')()
    expect(() => call(callback)).toThrow(`Math.random was called at ${SERVICE}:3`)
  })

  it('may make dates of given times, and reach the node', () => {
    const date = planted<Date>(SERVICE, 'new Date(1700000000000)')()
    expect(date.toISOString()).toBe('2023-11-14T22:13:20.000Z')
    expect(date).toBeInstanceOf(Date)
    const socket = planted<import('node:net').Socket>(
      SERVICE,
      'require("node:net").connect(8545, "127.0.0.1").on("error", () => {})',
    )()
    socket.destroy()
    expect(leaks).toEqual([])
  })
})

describe('all other code', () => {
  it.each(['node_modules/some-library/index.js', 'src/service/system/clock.ts', 'src/sandbox/rpc.ts'])(
    '%s stays free',
    (path) => {
      expect(planted<number>(path, 'Math.random()')()).toBeLessThan(1)
      expect(planted<Date>(path, 'new Date()')()).toBeInstanceOf(Date)
      expect(planted<string>(path, 'crypto.randomUUID()')()).toHaveLength(36)
      expect(() => clearTimeout(planted<NodeJS.Timeout>(path, 'setTimeout(() => {}, 1)')())).not.toThrow()
      expect(leaks).toEqual([])
    },
  )

  it('stays free when the service calls it', () => {
    const library = planted<() => number>('node_modules/some-library/index.js', '() => Math.random()')()
    const service = planted<(library: () => number) => number>(SERVICE, '(library) => library()')()
    expect(service(library)).toBeLessThan(1)
  })
})

it('leaves nothing behind when disarmed', () => {
  disarm()
  const before = [Date, Date.now, Math.random, setTimeout, fetch, randomUUID]
  arm({ rpcUrl: RPC_URL })()
  expect([Date, Date.now, Math.random, setTimeout, fetch, randomUUID]).toEqual(before)
  expect(planted<number>(SERVICE, 'Math.random()')()).toBeLessThan(1)
})

it('reports whether a leak can only be of this simulation, or of any that is armed', () => {
  const own: boolean[] = []
  disarm()
  const disarmOne = arm({ rpcUrl: RPC_URL, onLeak: (_leak, isOwn) => own.push(isOwn) })
  expect(() => planted(SERVICE, 'Math.random()')()).toThrow(SimulationLeakError)
  const disarmOther = arm({ rpcUrl: RPC_URL })
  expect(() => planted(SERVICE, 'Math.random()')()).toThrow(SimulationLeakError)
  disarmOther()
  disarmOne()
  expect(own).toEqual([true, false])
})

it('watches until the last of several simulations is disarmed, in whatever order', () => {
  const others: string[] = []
  const disarmOther = arm({ rpcUrl: 'http://127.0.0.1:8546', onLeak: ({ api }) => others.push(api) })
  disarm()
  expect(() => planted(SERVICE, 'Math.random()')()).toThrow(SimulationLeakError)
  expect(others).toEqual(['Math.random'])
  expect(leaks).toEqual([])
  disarmOther()
  expect(planted<number>(SERVICE, 'Math.random()')()).toBeLessThan(1)
})
