import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { bundled, evaluated } from './testing/evaluated.ts'

const MODULE = await bundled(new URL('./atExit.ts', import.meta.url))
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PROGRAM = `
  const { atExit } = await import(${JSON.stringify(MODULE)})
  atExit(() => console.log('first'))
  atExit(() => console.log('second'))
  atExit(() => console.log('never'))()
  console.log('ready')
  process.stdin.on('data', () => process.exit(5))
`

test.concurrent.each([
  ['SIGINT', { code: null, signal: 'SIGINT' }],
  ['SIGTERM', { code: null, signal: 'SIGTERM' }],
  ['SIGHUP', { code: null, signal: 'SIGHUP' }],
  ['exit', { code: 5, signal: null }],
] as const)('%s ends a process after its actions, the last one first', async (how, expected) => {
  const child = spawn(process.execPath, evaluated(PROGRAM), {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8')
    if (said !== 'ready\n') return
    if (how === 'exit') child.stdin.write('.')
    else child.kill(how)
  })
  const [code, signal] = await once(child, 'close')
  expect({ code, signal }).toEqual(expected)
  expect(said).toBe('ready\nsecond\nfirst\n')
})

test('a signal ends a process before an error that it causes, even if a library listens to the signal', async () => {
  const child = spawn(
    process.execPath,
    evaluated(`
      const { atExit, endOfSignal } = await import(${JSON.stringify(MODULE)})
      atExit(() => {})
      const library = () => {
        if (process.listenerCount('SIGINT') > 1) return
        process.off('SIGINT', library)
        process.kill(process.pid, 'SIGINT')
      }
      process.on('SIGINT', library)
      process.once('SIGINT', async () => {
        await endOfSignal()
        process.exit(3)
      })
      process.stdin.resume()
      process.kill(process.pid, 'SIGINT')
    `),
    { cwd: ROOT, stdio: ['pipe', 'inherit', 'inherit'] },
  )
  expect(await once(child, 'close')).toEqual([null, 'SIGINT'])
})
