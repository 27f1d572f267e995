import { describeSources } from '../../recordings/record/environment.ts'
import { readSuites } from './caseIndex.ts'

/** Returns the data that a build derives from the sources, by file name, so that commands load less. */
export async function precomputed(): Promise<Readonly<Record<string, unknown>>> {
  return {
    'cases.json': await readSuites(),
    'sources.json': describeSources(),
  }
}
