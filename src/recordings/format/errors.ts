import { PlumblineError, UsageError } from '../../spec/errors.ts'

/** The file cannot be read as a recording. */
export class RecordingFormatError extends UsageError {
  override readonly name = 'RecordingFormatError'
  /** The place of the error: `/entries/4/head/hash`, `line 3`, `the file` or `the end of the file`. */
  readonly place: string
  /**
   * @param problem a sentence that names the place.
   * @param advice default: to use an unchanged file and the version of Plumbline that reads its schema.
   */
  constructor(place: string, problem: string, advice?: string) {
    super(
      advice === undefined ? `no recording of this version: ${problem}` : problem,
      advice ??
        'Give a file that `plumbline simulate --record` wrote, unchanged, and the version of Plumbline that reads its schema.',
    )
    this.place = place
  }
}

/** A secret was about to be written into a recording. */
export class RecordingLeakError extends PlumblineError {
  override readonly name = 'RecordingLeakError'
  constructor() {
    super(
      'the recording would hold the secret of a key',
      'Redact the place that it came through; nothing was written.',
    )
  }
}
