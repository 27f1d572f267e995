/**
 * Types the commands of the guides that take too long for a test into a shell, one guide after another, and compares what
 * they print and their exit codes with what the guide shows. With names of guides, only those; with `--long`, those that
 * take many minutes instead.
 *
 * Each guide begins in a folder that looks like this checkout and holds nothing that was written: what a command needs, an
 * earlier one of its guide made. What stays up, stays up until its guide is over, and must then obey Ctrl-C.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atExit } from '../src/targets/atExit.ts'
import { liveTime } from '../src/targets/liveTime.ts'
import { commandsIn, type ShownCommand } from './guides/commandsIn.ts'
import { EXECUTED, type Executor } from './guides/executed.ts'
import { guides, ROOT } from './guides/guides.ts'
import { outputDiffers } from './guides/outputDiffers.ts'

/** What runs write; each guide has its own. */
const WRITTEN = new Set(['reports', '.git', 'dist'])
const STAYS_UP = /^(\w+=\S+ )*npx plumbline (sandbox|serve)\b/
/** A limit for what hangs. */
const UP_WITHIN_MS = 180_000
/** Stands in where a guide says `./run-my-service`. */
const SERVICE = '#!/bin/sh\nexec python3 docs/skeleton/service.py\n'

interface Printed {
  readonly lines: readonly string[]
  readonly exitCode: number | null
}

const long = process.argv.includes('--long')
const chosen = process.argv.slice(2).filter((word) => word !== '--long')
const executor: Executor = long ? 'npm run check:guides:run -- --long' : 'npm run check:guides:run'
let problems = 0
let count = 0
for (const [guide, text] of guides()) {
  if (chosen.length > 0 && !chosen.includes(guide)) continue
  const commands = commandsIn(guide, text).filter(({ command }) => EXECUTED[command] === executor)
  if (commands.length > 0) await follow(commands)
}
console.log(`${count} commands of the guides were typed; ${problems} did otherwise than shown`)
// Not by itself: a limit for what hangs may still be waiting.
process.exit(problems > 0 || count === 0 ? 1 : 0)

async function follow(commands: readonly ShownCommand[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-guide-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const forget = atExit(remove)
  const up: { readonly shown: ShownCommand; readonly child: ChildProcess }[] = []
  try {
    for (const name of readdirSync(ROOT))
      if (!WRITTEN.has(name)) symlinkSync(join(ROOT, name), join(folder, name))
    mkdirSync(join(folder, 'reports'))
    symlinkSync(join(ROOT, 'reports', 'golden'), join(folder, 'reports', 'golden'))
    writeFileSync(join(folder, 'run-my-service'), SERVICE, { mode: 0o755 })
    for (const shown of commands) {
      const startedMs = liveTime.nowMs()
      const problem = STAYS_UP.test(shown.command)
        ? await startUp(shown, folder, (child) => up.push({ shown, child }))
        : judge(shown, await run(shown, folder))
      report(shown, problem, liveTime.nowMs() - startedMs)
    }
  } finally {
    for (const { shown, child } of up.reverse()) report(shown, await interrupt(child), 0)
    forget()
    remove()
  }
}

function report({ guide, line, command }: ShownCommand, problem: string | null, tookMs: number): void {
  count += 1
  console.log(
    `${problem === null ? 'ok' : 'OTHERWISE'} ${guide}:${line}: ${command} (${(tookMs / 1_000).toFixed(1)} s)`,
  )
  if (problem === null) return
  problems += 1
  console.error(problem)
}

function type(command: string, folder: string): ChildProcess {
  const { NO_COLOR: _, FORCE_COLOR: __, GITHUB_ACTIONS: ___, ...env } = process.env
  const child = spawn(command, {
    shell: true,
    cwd: folder,
    env,
    // A group of its own: Ctrl-C is meant for all of it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const forget = atExit(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT')
  })
  child.once('exit', forget)
  return child
}

/** Everything that a process prints, in the order in which it comes. */
function listen(child: ChildProcess, onText: (all: string) => void): void {
  let all = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      all += chunk.toString('utf8')
      onText(all)
    })
  }
}

async function run({ command }: ShownCommand, folder: string): Promise<Printed> {
  const child = type(command, folder)
  let all = ''
  listen(child, (text) => {
    all = text
  })
  const [exitCode] = (await once(child, 'close')) as [number | null]
  return { lines: withoutNpm(all.split('\n')), exitCode }
}

function judge({ output, exitCode }: ShownCommand, printed: Printed): string | null {
  const differs = output === null ? null : outputDiffers(output, printed.lines)
  const code = printed.exitCode === exitCode ? null : `exit code ${printed.exitCode}, shown ${exitCode}`
  if (differs === null && code === null) return null
  return [differs, code, 'it printed:', ...printed.lines.slice(0, 60)]
    .filter((line) => line !== null)
    .join('\n')
}

/** Starts what stays up, and goes on as soon as it has printed what the guide shows. */
async function startUp(
  { command, output }: ShownCommand,
  folder: string,
  onStarted: (child: ChildProcess) => void,
): Promise<string | null> {
  if (output === null) return 'a guide must show by which line it is told that it is up'
  const child = type(command, folder)
  onStarted(child)
  return new Promise((resolve) => {
    listen(child, (all) => {
      if (outputDiffers(output, withoutNpm(all.split('\n'))) === null) resolve(null)
    })
    child.once('close', (code) => resolve(`it ended with ${code} before it was up`))
    liveTime.pass(UP_WITHIN_MS).then(() => resolve(`it was not up within ${UP_WITHIN_MS} ms`))
  })
}

/** Ctrl-C reaches every process of the terminal. */
async function interrupt(child: ChildProcess): Promise<string | null> {
  if (child.exitCode !== null || child.pid === undefined) return 'it ended before it was interrupted'
  const closed = once(child, 'close')
  process.kill(-child.pid, 'SIGINT')
  const [code] = (await closed) as [number | null]
  return code === 0 || code === 130 || code === null ? null : `exit code ${code} after Ctrl-C`
}

/** What npm itself says, of the machine's settings and of the script that it runs, is no output of the command. */
function withoutNpm(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => !/^npm (warn|notice)|^> /.test(line))
}
