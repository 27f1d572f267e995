import { type StepInput, stepSchema } from '../../simulation/steps/steps.ts'
import { catalogueDigest, catalogueReference, currentCatalogue } from '../format/catalogue.ts'
import type { Draft } from '../format/drafts.ts'
import { RecordingLeakError } from '../format/errors.ts'
import { renderRecording } from '../format/file.ts'
import { type Entry, ordered, RECORDING_SCHEMA, type Recording } from '../format/schema.ts'
import { sealAll } from '../format/seal.ts'

/** Returns the step with every default written out, so that its meaning does not change with later versions. */
export function explicit(step: StepInput): unknown {
  const parsed = stepSchema.safeParse(step)
  return parsed.success ? parsed.data : step
}

/** Numbers and seals the entries. Adds the catalogue of this version if the entries refer to it. */
export function seal(drafts: readonly Draft[], blobs: Recording['blobs']): Recording {
  const entries = sealAll(
    RECORDING_SCHEMA,
    drafts.map((draft, n) => ordered({ ...draft, n } as Entry)),
  )
  return {
    schema: RECORDING_SCHEMA,
    entries: entries as Recording['entries'],
    blobs: withCatalogue(drafts, blobs),
    trailer: { entries: entries.length, root: entries.at(-1)?.hash ?? '' },
  }
}

/** Seals the entries. @throws {RecordingLeakError} a secret would be written. */
export function sealWithout(
  secrets: readonly string[],
  drafts: readonly Draft[],
  blobs: Recording['blobs'],
): Recording {
  const recording = seal(drafts, blobs)
  const text = renderRecording(recording)
  if (secrets.some((secret) => text.includes(secret))) throw new RecordingLeakError()
  return recording
}

function withCatalogue(drafts: readonly Draft[], blobs: Recording['blobs']): Recording['blobs'] {
  if (!drafts.some((draft) => draft.kind === 'provenance' && draft.catalogue === catalogueReference()))
    return blobs
  const catalogue = currentCatalogue()
  const all = Object.entries({ ...blobs, [catalogueDigest(catalogue)]: catalogue })
  return Object.fromEntries(all.sort(([one], [other]) => (one < other ? -1 : 1)))
}
