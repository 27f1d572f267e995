import type { RecordingSummary } from './recordingSummary.ts'

/** The parts of verifying a recording, in their order, each with what it proves. */
export const VERIFY_STAGES = {
  seal: 'Every entry and every blob has the hash that the seal gives it',
  blocks: 'The commands of the run make the recorded blocks on a node in this program',
  contents: 'Replies of the node and reports do not contradict the blocks',
  verdicts: 'The judges of today come to the recorded verdicts',
  execution: 'A second EVM executes every call again, and comes to the same',
} as const

export type VerifyStage = keyof typeof VERIFY_STAGES

/** Describes what the verifier in a page posts while it verifies a recording. */
export type VerifierMessage =
  | { readonly kind: 'passed'; readonly stage: VerifyStage }
  | { readonly kind: 'summary'; readonly summary: RecordingSummary }
  /** The text is no recording of this version. */
  | { readonly kind: 'unread'; readonly problem: string }

/** Describes what a page needs for verifying what it holds. */
export interface SelfCheck {
  /** The program of a worker that answers the text of a recording with `VerifierMessage`s: compressed by zlib, in Base64. */
  readonly verifier: string
  /** What the program holds of others, a line for each package, with its licence and where its sources are. */
  readonly licences: readonly string[]
  /** The text of each recording, byte by byte as in its file. */
  readonly recordings: readonly string[]
}
