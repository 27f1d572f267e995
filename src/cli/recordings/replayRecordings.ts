import { basename, join } from 'node:path'
import { readForeignFile } from '../../host/foreignFile.ts'
import { parseRecording } from '../../recordings/format/file.ts'
import { type Divergence, firstDivergence } from '../../recordings/replay/divergence.ts'
import { ReplayWorlds } from '../../recordings/replay/replayWorlds.ts'
import { excerptsOf } from '../../reporting/excerptsOf.ts'
import type { Ending } from '../../runner/verdict/verdict.ts'
import { writeDivergence } from '../report/writeDivergence.ts'
import { loadSeams } from '../suites/loadSeams.ts'
import type { Output, Shown } from '../terminal/output.ts'
import { endAsWorst, type Said, sayOfEach } from './recordings.ts'

export interface ReplayOptions extends Shown {
  readonly out: string
}

/** Runs recordings again, and shows the first divergence of each. */
export async function replayRecordings(
  paths: readonly string[],
  options: ReplayOptions,
  output: Output,
): Promise<Ending> {
  const worlds = new ReplayWorlds(loadSeams)
  try {
    const replay = (path: string) => replayFile(path, worlds, options.out)
    return endAsWorst(await sayOfEach(paths, options, output, replay), options, output)
  } finally {
    await worlds.stop()
  }
}

async function replayFile(path: string, worlds: ReplayWorlds, out: string): Promise<Said> {
  const recording = parseRecording(readForeignFile(path))
  const replayed = await worlds.record(recording)
  const divergence = firstDivergence(recording, replayed)
  const json = { path, divergence }
  if (divergence === null)
    return { ending: 'conforms', json, text: `${path}: identical (${recording.entries.length} entries)` }
  const page = join(out, `${basename(path, '.json')}.html`)
  const recorded = { label: 'recorded', file: path, recording }
  writeDivergence(recorded, { label: 'replayed', file: null, recording: replayed }, page)
  const text = `${describeDivergence(path, divergence)}\n  both drawn: ${page}`
  return { ending: 'does-not-conform', json, text }
}

function describeDivergence(
  path: string,
  { entry, what, field, recorded, replayed, ledTo }: Divergence,
): string {
  const [then, now] = excerptsOf(recorded, replayed)
  return [
    `${path}: DIVERGED at entry ${entry}, ${field}`,
    `  ${what}`,
    `  recorded: ${then}`,
    `  replayed: ${now}`,
    ...(ledTo.length === 0 ? [] : ['  what led to it:', ...ledTo.map((line) => `    ${line}`)]),
  ].join('\n')
}
