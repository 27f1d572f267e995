/**
 * Records every story of scenarios/ again into reports/golden. A file that would differ in nothing but the programs that
 * made it is left as it is, and one whose story is gone is removed.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { parseRecording, renderRecording } from '../src/recordings/format/file.ts'
import type { Recording } from '../src/recordings/format/schema.ts'
import { recordScript } from '../src/recordings/record/recordScript.ts'
import { firstDivergence } from '../src/recordings/replay/divergence.ts'
import { namedScenarios } from '../src/runner/scenarioFolder.ts'
import { createWorld } from '../src/simulation/world.ts'

const FOLDER = new URL('../reports/golden/', import.meta.url)
const SEED = 1

mkdirSync(FOLDER, { recursive: true })
const kept = new Set(namedScenarios().map(({ id }) => `${id}.json`))
for (const file of readdirSync(FOLDER)) if (!kept.has(file)) rmSync(new URL(file, FOLDER))

let written = 0
const world = await createWorld({ seed: SEED })
try {
  for (const { id, steps } of namedScenarios()) {
    const recording = await recordScript(world, { name: id, seed: SEED, steps })
    if (isUpToDate(id, recording)) continue
    writeFileSync(new URL(`${id}.json`, FOLDER), renderRecording(recording))
    written += 1
  }
} finally {
  await world.stop()
}
console.log(`golden recordings: ${written} written, ${namedScenarios().length - written} unchanged`)

function isUpToDate(id: string, recording: Recording): boolean {
  const file = new URL(`${id}.json`, FOLDER)
  if (!existsSync(file)) return false
  try {
    return firstDivergence(parseRecording(readFileSync(file, 'utf8')), recording) === null
  } catch {
    // A file that this version cannot read is written anew.
    return false
  }
}
