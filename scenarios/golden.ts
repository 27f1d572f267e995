/** The committed recordings of all scenarios, made under one seed. */
export const GOLDEN_FOLDER = new URL('../reports/golden/', import.meta.url)
export const GOLDEN_SEED = 1

/** The scenarios whose recordings are kept whole: of every family the most telling ones. */
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

/** A digest of every other recording, one a line. */
export const DIGESTS_FILE = new URL('digests.ndjson', GOLDEN_FOLDER)
