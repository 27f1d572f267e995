import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { liveTime } from '../../src/targets/liveTime.ts'

/** What was killed may take so long until everything that it started has ended. */
const END_WITHIN_MS = 10_000
const LOOK_EVERY_MS = 100
const SHOWN_CHARACTERS = 200
/** Caches of compiled sources, which every process shares. */
const CACHES = /^(?:tsx-|node-compile-cache)/

/**
 * Returns the processes that have one of the markers in their command or environment, and the files in `directory`; those that
 * are still there after ten seconds.
 */
export async function leftovers(markers: readonly string[], directory: string): Promise<readonly string[]> {
  const endsAtMs = liveTime.nowMs() + END_WITHIN_MS
  for (;;) {
    const left = [...processesWith(markers), ...filesIn(directory)]
    if (left.length === 0 || liveTime.nowMs() > endsAtMs) return left
    await liveTime.pass(LOOK_EVERY_MS)
  }
}

function filesIn(directory: string): readonly string[] {
  return readdirSync(directory)
    .filter((name) => !CACHES.test(name))
    .map((name) => `the file ${name}`)
}

/** `e` shows the environment of each process; this one has no marker in its own. */
function processesWith(markers: readonly string[]): readonly string[] {
  const lines = execFileSync('ps', ['axeww', '-o', 'pid=,command='], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  }).split('\n')
  return lines
    .filter((line) => markers.some((marker) => line.includes(marker)))
    .map((line) => `the process ${line.trim().slice(0, SHOWN_CHARACTERS)}`)
}
