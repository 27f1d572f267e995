import { z } from 'zod'
import {
  COMMON_ENTRIES,
  formOf,
  provenanceEntry1,
  RECORDING_SCHEMA,
  type Recording,
  recordingSchema,
} from './schema.ts'
import type { Seal } from './seal.ts'

/** A recording in the form of its file: what its seal covers. */
export interface WrittenForm {
  readonly schema: string
  readonly entries: readonly (object & Seal)[]
  readonly blobs: Recording['blobs']
  readonly trailer: Recording['trailer']
}

/** A form of recordings: which files have it, and how they become recordings of the present form. */
interface Form {
  readonly schema: z.ZodType<WrittenForm>
  /** The entry of one line. */
  readonly entry: z.ZodType
  readonly migrate: (written: WrittenForm) => Recording
}

const form1 = formOf(
  'plumbline-recording/1',
  z.discriminatedUnion('kind', [...COMMON_ENTRIES, provenanceEntry1]),
)

/** Version 1 did not say by which requirements and judges a run was judged. */
function fromForm1({ entries, blobs, trailer }: z.output<typeof form1>): Recording {
  const present = entries.map((entry) =>
    entry.kind === 'provenance' ? { ...entry, judgesSha256: null, catalogue: null } : entry,
  )
  return { schema: RECORDING_SCHEMA, entries: present, blobs, trailer }
}

/** Every form that is read, by the name of its schema. */
const FORMS: ReadonlyMap<unknown, Form> = new Map<string, Form>([
  [
    'plumbline-recording/1',
    {
      schema: form1,
      entry: form1.shape.entries.element,
      migrate: (written) => fromForm1(written as z.output<typeof form1>),
    },
  ],
  [
    RECORDING_SCHEMA,
    {
      schema: recordingSchema,
      entry: recordingSchema.shape.entries.element,
      migrate: (written) => written as Recording,
    },
  ],
])

/** The form that a file says to have; null: none that this version reads. */
export function formNamed(schema: unknown): Form | null {
  return FORMS.get(schema) ?? null
}

/** The form that a file says to have; of any other file the present one, which says what is wrong with it. */
export function formOfFile(json: unknown): Form {
  const named = typeof json === 'object' && json !== null && 'schema' in json ? formNamed(json.schema) : null
  return named ?? (FORMS.get(RECORDING_SCHEMA) as Form)
}

/** The files of recordings that were read in a former form. */
const files = new WeakMap<Recording, WrittenForm>()

/** A recording of the present form, which remembers the form of its file. */
export function migrated(form: Form, written: WrittenForm): Recording {
  const recording = form.migrate(written)
  if (recording !== written) files.set(recording, written)
  return recording
}

/** A recording as it was written: in its own form, which its seal covers; in the present one when it was read in no other. */
export function writtenForm(recording: Recording): WrittenForm {
  return files.get(recording) ?? recording
}
