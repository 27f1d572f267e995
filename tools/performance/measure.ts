import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readRatios } from '../../src/cli/report/readRun.ts'
import { PlumblineError } from '../../src/spec/errors.ts'
import { liveTime } from '../../src/targets/liveTime.ts'
import { withPackage } from '../package/pack.ts'
import { startProcess } from '../runningProcess.ts'
import type { Sample } from './journal.ts'
import { sizesIn } from './packages.ts'
import type { Measurement } from './rows.ts'

export const RATIOS = 'reports/bench/ratios.json'
const MS_PER_S = 1_000
const SHOWN_LINES = 20

/** A command that is measured failed: its time says nothing. */
class FailedCommandError extends PlumblineError {
  override readonly name = 'FailedCommandError'
  constructor(command: string, code: number | null, output: string) {
    super(
      `${command} ended with ${code ?? 'a signal'}:\n${output.trim().split('\n').slice(-SHOWN_LINES).join('\n')}`,
      'Fix it, and measure again: what was measured is kept.',
    )
  }
}

/** What one or several runs of a command came to, without its name. */
export type Taken = readonly Pick<Sample, 'figures' | 'packages'>[]

/**
 * Runs what a measurement needs, once, or as often as is cheap.
 *
 * @param most as many samples are enough.
 * @param checkout where the version lies that is measured.
 * @returns what was measured, and how long one run took.
 * @throws {FailedCommandError}
 */
export async function measure(
  { id, command }: Measurement,
  most: number,
  checkout: string,
): Promise<{ taken: Taken; tookS: number }> {
  switch (id) {
    case 'bench': {
      const tookS = await secondsOf(command, checkout)
      const { ratios } = readRatios(join(checkout, RATIOS))
      const figures = Object.fromEntries(ratios.map(({ name, value }) => [name, value]))
      return { taken: [{ figures }], tookS }
    }
    case 'help':
      return several(command, checkout, most)
    case 'help-installed':
      return withPackage(
        ({ archive }) =>
          inFolder(async (folder) => {
            writeFileSync(join(folder, 'package.json'), '{"private":true}')
            await secondsOf(`npm install --no-audit --no-fund --prefer-offline ${archive}`, folder)
            return several(command, folder, most)
          }),
        checkout,
      )
    case 'install':
      return inFolder(async (folder) => {
        execFileSync('git', ['-c', 'advice.detachedHead=false', 'clone', '--quiet', checkout, folder])
        const tookS = await secondsOf(command, folder)
        const { megabytes, packages } = sizesIn(join(folder, 'node_modules'))
        return { taken: [{ figures: { seconds: tookS, megabytes }, packages: [...packages] }], tookS }
      })
    default: {
      const tookS = await secondsOf(command, checkout)
      return { taken: [{ figures: { seconds: tookS } }], tookS }
    }
  }
}

/** Short runs, one after the other; the first is for the caches. */
async function several(
  command: string,
  folder: string,
  most: number,
): Promise<{ taken: Taken; tookS: number }> {
  const tookS = await secondsOf(command, folder)
  const taken: Taken[number][] = []
  while (taken.length < most) taken.push({ figures: { seconds: await secondsOf(command, folder) } })
  return { taken, tookS }
}

/** @throws {FailedCommandError} */
async function secondsOf(command: string, folder: string): Promise<number> {
  const { NO_COLOR: _, FORCE_COLOR: __, GITHUB_STEP_SUMMARY: ___, ...env } = process.env
  const startedMs = liveTime.nowMs()
  const running = startProcess(command, [], { shell: true, cwd: folder, env })
  const code = await running.ended
  const seconds = (liveTime.nowMs() - startedMs) / MS_PER_S
  if (code !== 0) throw new FailedCommandError(command, code, running.output())
  return seconds
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-performance-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
