import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { marked } from './marked.ts'
import { hasOpenToWrite, outputsOf } from './orphans.ts'
import { temporaryFolder } from './testing/temporaryFolder.ts'

const folder = temporaryFolder()
let server: Server
beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => server.close())

/**
 * Starts a shell that starts a daemon with an empty environment in its own session, and exits when its input ends. The daemon
 * connects to the server, and ignores signals.
 */
function startDaemon(redirection: string, directory: string): ChildProcess {
  const { port } = server.address() as AddressInfo
  const source = `process.on("SIGTERM", () => {}); require("net").connect(${port}, "127.0.0.1").write(String(process.pid))`
  const command = `cd ${directory}; env -i setsid '${process.execPath}' -e '${source}' </dev/null ${redirection} & read _`
  return spawn('/bin/sh', ['-c', command], { stdio: ['pipe', 'pipe', 'pipe'], detached: true })
}

/** Starts a shell that starts a daemon with these variables in its own session, and exits immediately. */
function startWith(env: NodeJS.ProcessEnv): ChildProcess {
  const { port } = server.address() as AddressInfo
  const source = `require("net").connect(${port}, "127.0.0.1").write(String(process.pid))`
  const command = `setsid '${process.execPath}' -e '${source}' >/dev/null 2>&1 </dev/null & sleep 0`
  return spawn('/bin/sh', ['-c', command], { stdio: 'ignore', detached: true, env })
}

/** Ends the shell that started a daemon. Resolves to the daemon once it has connected and the shell has exited. */
async function daemon(started: ChildProcess): Promise<{ pid: number; connection: Socket }> {
  started.stdin?.end()
  const [[connection]] = (await Promise.all([once(server, 'connection'), once(started, 'exit')])) as [
    [Socket],
    unknown,
  ]
  const [pid] = await once(connection, 'data')
  return { pid: Number(String(pid)), connection }
}

const onLinux = test.skipIf(process.platform !== 'linux')

onLinux('a file is open for writing only if it was opened for that, and until it is closed', () => {
  const path = folder.write('a.log', '')
  const isWritten = () => hasOpenToWrite(process.pid, path)
  const reading = openSync(path, 'r')
  expect(isWritten()).toBe(false)
  const writing = openSync(path, 'a')
  expect(isWritten()).toBe(true)
  for (const each of [writing, reading]) closeSync(each)
  expect(isWritten()).toBe(false)
})

onLinux.each([
  ['the output of its program', '', '/'],
  ['its folder', '>/dev/null 2>&1 </dev/null', folder.path],
])(
  'a daemon that cleared its environment is ended if it still has %s open',
  async (_what, redirection, directory) => {
    const target = marked('PLUMBLINE_DIR', folder.path)
    const started = startDaemon(redirection, directory)
    target.hasOutputs(outputsOf(started.pid))
    const { pid, connection } = await daemon(started)
    const closed = once(connection, 'close')
    const { refused, unknown } = target.end()
    await closed
    expect(refused).toEqual([])
    expect(unknown.map((each) => each.pid)).not.toContain(pid)
  },
)

onLinux('a daemon of unknown origin is reported with its id and command, and not killed', async () => {
  const target = marked('PLUMBLINE_DIR', folder.path)
  const started = startDaemon('>/dev/null 2>&1 </dev/null', '/')
  target.hasOutputs(outputsOf(started.pid))
  const { pid } = await daemon(started)
  try {
    const { unknown } = target.end()
    expect(unknown.find((each) => each.pid === pid)?.command).toContain('require("net").connect')
    expect(process.kill(pid, 0)).toBe(true)
  } finally {
    process.kill(pid, 'SIGKILL')
  }
})

onLinux(
  'processes that were started before, or that have variables of ours, are not of the target',
  async () => {
    const before = startDaemon('>/dev/null 2>&1 </dev/null', '/')
    const { pid: earlier } = await daemon(before)
    const target = marked('PLUMBLINE_DIR', folder.path)
    const { pid: foreign } = await daemon(startWith({ PATH: process.env.PATH, VITEST: 'true' }))
    try {
      const pids = target.end().unknown.map((each) => each.pid)
      expect(pids).not.toContain(earlier)
      expect(pids).not.toContain(foreign)
    } finally {
      for (const pid of [earlier, foreign]) process.kill(pid, 'SIGKILL')
    }
  },
)

onLinux('processes that another target left, or with its marks, are left to that target', async () => {
  const own = folder.at('own')
  mkdirSync(own)
  const target = marked('PLUMBLINE_DIR', folder.at('another'))
  const client = marked('SWAP_STATE', own)
  const { pid: ofAnotherRun } = await daemon(
    startWith({ PATH: process.env.PATH, SWAP_STATE: '/of/another/run' }),
  )
  const { pid: ofClient, connection } = await daemon(startDaemon('>/dev/null 2>&1 </dev/null', own))
  const closed = once(connection, 'close')
  try {
    const pids = target.end().unknown.map((each) => each.pid)
    expect(pids).not.toContain(ofAnotherRun)
    expect(pids).not.toContain(ofClient)
    client.end()
    await closed
  } finally {
    process.kill(ofAnotherRun, 'SIGKILL')
  }
})
