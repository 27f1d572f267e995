import { readForeignFile, statForeign } from '../../host/foreignFile.ts'

const SCHEMA = /"schema"\s*:\s*"(plumbline-[a-z]+)\/\d+"/
/** The schema is named at the start of a file. */
const HEAD_CHARACTERS = 400

/** Kinds of files that Plumbline writes, other than recordings, by schema. */
const KINDS: Readonly<Record<string, string>> = {
  'plumbline-results': 'the results of a run',
  'plumbline-verdicts': 'the verdicts of a run',
  'plumbline-about': 'what a run says of itself',
  'plumbline-baseline': 'a baseline',
  'plumbline-capabilities': 'a declaration of capabilities',
  'plumbline-report': 'a report as JSON',
}

/** Returns whether a file names the schema of recordings, regardless of its file name. */
export function isRecording(path: string): boolean {
  return schemaIn(path) === 'plumbline-recording'
}

/** Returns the kind of another Plumbline file by its schema; null: a recording, or an unknown file. */
export function otherKind(path: string): string | null {
  return KINDS[schemaIn(path) ?? ''] ?? null
}

function schemaIn(path: string): string | null {
  if (statForeign(path).isDirectory()) return null
  return SCHEMA.exec(readForeignFile(path).slice(0, HEAD_CHARACTERS))?.[1] ?? null
}
