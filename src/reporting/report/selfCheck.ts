import type { RecordingSummary } from './recordingSummary.ts'

/** The stages of verifying a recording, in order, each with what it proves. */
export const VERIFY_STAGES = {
  seal: 'Every entry and every blob has the hash that the seal gives it',
  blocks: 'The commands of the run make the recorded blocks on a node in this program',
  contents: 'Replies of the node and reports do not contradict the blocks',
  verdicts: 'The judges of today come to the recorded verdicts',
  execution: 'A second EVM executes every call again, and comes to the same',
} as const

export type VerifyStage = keyof typeof VERIFY_STAGES

/** A message that the verifier in a page posts while it verifies a recording. */
export type VerifierMessage =
  | { readonly kind: 'passed'; readonly stage: VerifyStage }
  | { readonly kind: 'summary'; readonly summary: RecordingSummary }
  /** The text is not a recording of this version. */
  | { readonly kind: 'unread'; readonly problem: string }

/** The data that a page needs to verify its recordings. */
export interface SelfCheck {
  /** Program of a worker that receives the text of a recording and posts `VerifierMessage`s: compressed by zlib, in Base64. */
  readonly verifier: string
  /** The third-party packages in the program, a line each with its licence and the address of its sources. */
  readonly licences: readonly string[]
  /** The text of each recording, byte for byte as in its file. */
  readonly recordings: readonly string[]
}
