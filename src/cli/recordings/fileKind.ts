import { readForeignFile, statForeign } from '../../host/foreignFile.ts'

const SCHEMA = /"schema"\s*:\s*"(plumbline-[a-z]+)\/\d+"/
/** A file says what it is before anything else. */
const HEAD_CHARACTERS = 400

/** What the files are that Plumbline writes, in addition to recordings. */
const KINDS: Readonly<Record<string, string>> = {
  'plumbline-results': 'the results of a run',
  'plumbline-verdicts': 'the verdicts of a run',
  'plumbline-about': 'what a run says of itself',
  'plumbline-baseline': 'a baseline',
  'plumbline-capabilities': 'a declaration of capabilities',
  'plumbline-report': 'a report as JSON',
}

/** Returns whether a path leads to a file that says to be a recording, whatever its name. */
export function isRecording(path: string): boolean {
  return schemaIn(path) === 'plumbline-recording'
}

/** Returns what else of Plumbline's a file says to be; null: nothing that is known, or a recording. */
export function otherKind(path: string): string | null {
  return KINDS[schemaIn(path) ?? ''] ?? null
}

function schemaIn(path: string): string | null {
  if (statForeign(path).isDirectory()) return null
  return SCHEMA.exec(readForeignFile(path).slice(0, HEAD_CHARACTERS))?.[1] ?? null
}
