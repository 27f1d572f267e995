import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { bundled, evaluated } from './testing/evaluated.ts'
import { temporaryFolder } from './testing/temporaryFolder.ts'

const MODULE = JSON.stringify(await bundled(new URL('./stallGuard.ts', import.meta.url)))
const folder = temporaryFolder()
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Runs a program under a guard with short limits. Returns its exit code, signal and output. */
async function guarded(body: string, killedMs = 60_000) {
  const program = `
    const { guardAgainstStalls } = await import(${MODULE})
    const limits = { beatMs: 20, stallMs: 400, lateStallMs: 200, killedMs: ${killedMs} }
    const onStall = () => {
      console.log('written')
      return 3
    }
    process.on('exit', () => console.log('ended'))
    const release = guardAgainstStalls(onStall, undefined, limits)
    ;${body}`
  const child = spawn(process.execPath, evaluated(program), { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { out, err, code, signal }
}

test.concurrent.each([
  ['a loop', 'for (;;);'],
  [
    'a loop of a promise, among others',
    'setInterval(() => {}, 5); await Promise.resolve().then(() => { for (;;); })',
  ],
  ['a regular expression', `/^(a+)+$/.test('a'.repeat(64) + 'b')`],
  ['a loop that catches all', 'for (;;) try { for (;;); } catch {}'],
  [
    'work that is quadratic',
    'const list = Array.from({ length: 1e6 }, (_, n) => n); list.filter((each) => list.includes(-each - 1))',
  ],
])('%s is interrupted, and the handler still writes', async (_what, body) => {
  expect(await guarded(body)).toEqual({ out: 'written\nended\n', err: '', code: 3, signal: null })
})

test.concurrent('a system call that cannot be interrupted ends with the process', async () => {
  const pipe = folder.at('pipe')
  execFileSync('mkfifo', [pipe])
  const open = `(await import('node:fs')).openSync(${JSON.stringify(pipe)})`
  const { out, err, signal } = await guarded(open, 200)
  expect(out).toBe('')
  expect(err).toBe('error: Plumbline hangs and cannot be interrupted; it ends now\n')
  expect(signal).toBe('SIGKILL')
})

test.concurrent('a thread that returns in time, or is released, is not interrupted, and the guard does not keep the process running', async () => {
  const { out, code } = await guarded(`
    const busyUntil = (ms) => { while (performance.now() < ms); }
    for (let turn = 0; turn < 4; turn += 1) {
      busyUntil(performance.now() + 200)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    release()
    busyUntil(performance.now() + 800)
    guardAgainstStalls(onStall, undefined, limits)`)
  expect({ out, code }).toEqual({ out: 'ended\n', code: 0 })
})
