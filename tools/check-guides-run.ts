/**
 * Runs the commands of the guides that take too long for a test, one guide after another, and compares their output and exit
 * codes with the guide. Arguments: names of guides, to run only those; `--long` for the commands that take many minutes.
 *
 * Each guide starts in a folder that looks like this checkout without any results: a command may only need files that an
 * earlier command of its guide wrote. A server runs until its guide ends, and must then stop on Ctrl-C.
 */
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTemporaryFolder } from '../src/host/temporary.ts'
import { realTime } from '../src/targets/realTime.ts'
import { commandsIn, type Executor, type ShownCommand } from './guides/commandsIn.ts'
import { guides, ROOT } from './guides/guides.ts'
import { outputDiffers } from './guides/outputDiffers.ts'
import { type RunningProcess, startProcess } from './runningProcess.ts'

/** Folders with results; each guide has its own. */
const RESULTS = new Set(['reports', '.git', 'dist'])
const SERVER = /^(\w+=\S+ )*npx plumbline (sandbox|serve)\b|\s--(keep|watch)\b/
/** Time after which a server that is not up counts as hanging. */
const UP_WITHIN_MS = 180_000
/** Replaces `./run-my-service` of the guides. */
const SERVICE = '#!/bin/sh\nexec python3 docs/skeleton/service.py\n'

const long = process.argv.includes('--long')
const chosen = process.argv.slice(2).filter((word) => word !== '--long')
const executor: Executor = long ? 'long' : 'run'
let problems = 0
let count = 0
for (const [guide, text] of guides()) {
  if (chosen.length > 0 && !chosen.includes(guide)) continue
  const commands = commandsIn(guide, text).filter(({ by }) => by === executor)
  if (commands.length > 0) await follow(commands)
}
console.log(`${count} commands of the guides ran; ${problems} differed`)
// The timer of a server may still be pending.
process.exit(problems > 0 || count === 0 ? 1 : 0)

async function follow(commands: readonly ShownCommand[]): Promise<void> {
  const { path: folder, remove } = makeTemporaryFolder('guide')
  const servers: { readonly shown: ShownCommand; readonly running: RunningProcess }[] = []
  try {
    for (const name of readdirSync(ROOT))
      if (!RESULTS.has(name)) symlinkSync(join(ROOT, name), join(folder, name))
    mkdirSync(join(folder, 'reports'))
    symlinkSync(join(ROOT, 'reports', 'golden'), join(folder, 'reports', 'golden'))
    writeFileSync(join(folder, 'run-my-service'), SERVICE, { mode: 0o755 })
    for (const shown of commands) {
      const startedMs = realTime.nowMs()
      const running = start(shown.command, folder)
      const isServer = SERVER.test(shown.command)
      if (isServer) servers.push({ shown, running })
      const problem = isServer ? await whetherUp(shown, running) : await whetherAsShown(shown, running)
      report(shown, problem, realTime.nowMs() - startedMs)
    }
  } finally {
    for (const { shown, running } of servers.reverse()) report(shown, await interrupt(running), 0)
    remove()
  }
}

function report({ guide, line, command }: ShownCommand, problem: string | null, tookMs: number): void {
  count += 1
  console.log(
    `${problem === null ? 'ok' : 'DIFFERS'} ${guide}:${line}: ${command} (${(tookMs / 1_000).toFixed(1)} s)`,
  )
  if (problem === null) return
  problems += 1
  console.error(problem)
}

function start(command: string, folder: string): RunningProcess {
  const { NO_COLOR: _, FORCE_COLOR: __, GITHUB_ACTIONS: ___, GITHUB_STEP_SUMMARY: ____, ...env } = process.env
  return startProcess(command, [], { shell: true, cwd: folder, env })
}

/** @returns the difference from the guide, or null. */
async function whetherAsShown(
  { output, exitCode }: ShownCommand,
  running: RunningProcess,
): Promise<string | null> {
  const code = await running.ended
  const lines = withoutNpm(running.output())
  const differs = output === null ? null : outputDiffers(output, lines)
  const otherCode = code === exitCode ? null : `exit code ${code}, expected ${exitCode}`
  if (differs === null && otherCode === null) return null
  return [differs, otherCode, 'its output:', ...lines.slice(0, 60)].filter((line) => line !== null).join('\n')
}

/** Waits until a server has printed what the guide shows. */
async function whetherUp({ output }: ShownCommand, running: RunningProcess): Promise<string | null> {
  if (output === null) return 'the guide must show the output of a server that is up'
  return Promise.race([
    running.until((text) => outputDiffers(output, withoutNpm(text)) === null).then(() => null),
    running.ended.then((code) => `it ended with ${code} before it was up`),
    realTime.pass(UP_WITHIN_MS).then(() => `it was not up within ${UP_WITHIN_MS} ms`),
  ])
}

async function interrupt(running: RunningProcess): Promise<string | null> {
  running.interrupt()
  const code = await running.ended
  return code === 0 || code === 130 || code === null ? null : `exit code ${code} after Ctrl-C`
}

/** Removes npm's own lines about the machine's settings and the script. */
function withoutNpm(output: string): readonly string[] {
  return output.split('\n').filter((line) => !/^npm (warn|notice)|^> /.test(line))
}
