import { describeSources } from '../../recordings/record/environment.ts'
import { readSuites } from './caseIndex.ts'

/** Returns what follows from the sources alone, by the names of the files in which a build keeps it, so that a command loads little. */
export async function precomputed(): Promise<Readonly<Record<string, unknown>>> {
  return {
    'cases.json': await readSuites(),
    'sources.json': describeSources(),
  }
}
