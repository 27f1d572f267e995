/**
 * Records every scenario again into reports/golden: a few as whole recordings, all others as digests. A recording that would
 * differ only in its program versions is kept, unless Plumbline's own version changed.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { DIGESTS_FILE, GOLDEN_FOLDER, GOLDEN_SEED, WHOLE_RECORDINGS } from '../scenarios/golden.ts'
import { plumblineVersion } from '../src/host/version.ts'
import { digestOf } from '../src/recordings/format/digest.ts'
import { only } from '../src/recordings/format/drafts.ts'
import { parseRecording, renderRecording } from '../src/recordings/format/file.ts'
import type { Recording } from '../src/recordings/format/schema.ts'
import { recordScript } from '../src/recordings/record/recordScript.ts'
import { firstDivergenceInWords } from '../src/recordings/replay/divergence.ts'
import { namedScenarios } from '../src/runner/scenarios/scenarioFolder.ts'
import { createWorld } from '../src/simulation/world/world.ts'

mkdirSync(GOLDEN_FOLDER, { recursive: true })
const whole = new Set<string>(WHOLE_RECORDINGS)
const kept = new Set([...whole].map((id) => `${id}.json`))
for (const file of readdirSync(GOLDEN_FOLDER)) {
  if (file.endsWith('.json') && !kept.has(file)) rmSync(new URL(file, GOLDEN_FOLDER))
}

let written = 0
const digests: string[] = []
const world = await createWorld({ seed: GOLDEN_SEED, stateRoots: true })
try {
  for (const { id, steps } of namedScenarios()) {
    const recording = await recordScript(world, { name: id, seed: GOLDEN_SEED, steps })
    if (!whole.has(id)) digests.push(JSON.stringify(digestOf(recording)))
    else if (!isUpToDate(id, recording)) {
      writeFileSync(new URL(`${id}.json`, GOLDEN_FOLDER), renderRecording(recording))
      written += 1
    }
  }
} finally {
  await world.stop()
}
writeFileSync(DIGESTS_FILE, `${digests.join('\n')}\n`)
console.log(
  `golden recordings: ${written} written, ${whole.size - written} unchanged, ${digests.length} digests`,
)

function isUpToDate(id: string, recording: Recording): boolean {
  const file = new URL(`${id}.json`, GOLDEN_FOLDER)
  if (!existsSync(file)) return false
  try {
    const kept = parseRecording(readFileSync(file, 'utf8'))
    return (
      only(kept.entries, 'provenance')[1].plumbline === plumblineVersion() &&
      firstDivergenceInWords(kept, recording) === null
    )
  } catch {
    // A file that this version cannot read is recorded again.
    return false
  }
}
