import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'

const WATCHDOG = fileURLToPath(new URL('./watchdog.ts', import.meta.url))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-watchdog-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function run(body: string) {
  const program = `import { startWatchdog } from ${JSON.stringify(WATCHDOG)}
    const watchdog = startWatchdog(process.argv[1])
    ${body}`
  const file = join(folder, 'stuck')
  const child = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', program, '--', file],
    { encoding: 'utf8' },
  )
  return { ...child, file }
}

it('ends a process that loops, and writes what it was running', () => {
  const { signal, file } = run(`watchdog.watch('mutant 7', 20); for (;;);`)
  expect(signal).toBe('SIGKILL')
  expect(readFileSync(file, 'utf8')).toBe('mutant 7')
})

it('leaves a process alone that returns in time, and lets it exit', () => {
  const { status, stderr } = run(`watchdog.watch('mutant 7', 60_000); watchdog.rest()`)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
