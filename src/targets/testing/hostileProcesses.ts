import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const MIB = 1_048_576
const program = (source: string) => ['-e', source]
const STAYS = `process.on('SIGTERM', () => {}); process.on('SIGHUP', () => {}); setInterval(() => {}, 1_000)`

/** Starts a program in a separate session, which only SIGKILL ends. */
function startSession(): void {
  spawn(process.execPath, program(STAYS), { detached: true, stdio: 'inherit' }).unref()
}

/** Ways in which a target's process may misbehave, apart from responses. Each is called once it listens, with its private folder. */
export const HOSTILE_PROCESSES = {
  'process-leaves-a-session': startSession,
  'process-leaves-a-session-without-environment': () => {
    spawn(process.execPath, program(STAYS), { detached: true, stdio: 'inherit', env: {} }).unref()
  },
  'process-leaves-many-sessions': () => {
    for (let count = 0; count < 20; count += 1) startSession()
  },
  'process-prints-without-end': () => {
    spawn('yes', ['a line that is printed again and again'], { stdio: 'inherit' })
  },
  'process-prints-a-long-line': () => {
    process.stdout.write('x'.repeat(20 * MIB))
  },
  'process-prints-what-is-no-text': () => {
    process.stdout.write(Buffer.alloc(MIB, 0xff))
  },
  'process-ignores-signals': () => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  },
  'process-ends-again-and-again': () => {
    setTimeout(() => process.exit(7), 200)
  },
  'process-stops-itself': () => {
    setTimeout(() => process.kill(process.pid, 'SIGSTOP'), 200)
  },
  'process-works-without-end': () => {
    spawn(process.execPath, program('for (;;);'), { stdio: 'inherit' })
  },
  'process-fills-its-folder': (directory) => {
    for (let file = 0; file < 2_000; file += 1) writeFileSync(join(directory, `${file}`), 'x'.repeat(10_000))
    mkdirSync(join(directory, ...Array.from({ length: 100 }, () => 'deep')), { recursive: true })
  },
  'process-takes-the-rights-away': (directory) => {
    mkdirSync(join(directory, 'a', 'b'), { recursive: true })
    for (const folder of [join(directory, 'a', 'b'), join(directory, 'a'), directory]) chmodSync(folder, 0)
  },
  'process-removes-its-folder': (directory) => rmSync(directory, { recursive: true, force: true }),
} as const satisfies Record<string, (directory: string) => void>
