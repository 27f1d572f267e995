/** The committed recordings of all scenarios, created with one seed. */
export const GOLDEN_FOLDER = new URL('../reports/golden/', import.meta.url)
export const GOLDEN_SEED = 1

/** Scenarios whose recordings are kept whole: the most instructive of every family. */
export const WHOLE_RECORDINGS = [
  'attribution.two-transactions-one-build',
  'budget.spent',
  'depth.eleven-twelve-thirteen',
  'execution.never-approved',
  'failures.store-down',
  'fall-through.delivering-less',
  'hashes.permit-reported',
  'keys.revoked-before-confirm',
  'prices.moved-within-build',
  'reorg.after-recorded',
  'reorg.between-check-and-record',
  'reorg.moves-to-later-block',
  'replacement.higher-fee',
  'window.at-the-end',
  'window.still-pending-at-end',
] as const

/** Digests of all other recordings, one per line. */
export const DIGESTS_FILE = new URL('digests.ndjson', GOLDEN_FOLDER)
