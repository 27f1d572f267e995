/** The numbers of SPEC §8 and of the wire, in the units their names end with. */
export const LIMITS = {
  chainId: 4663,
  listedFeeBps: 0,
  slippageBps: { min: 0, max: 5000, default: 50 },
  partnerFeeBps: { min: 0, max: 50, default: 0 },
  decimals: { min: 0, max: 36 },
  symbolLength: { min: 1, max: 24 },
  quoteBudgetMs: 15_000,
  buildBudgetMs: 30_000,
  memoMs: 1_500,
  attributionWindowMs: 20 * 60 * 1000,
  confirmations: 12,
  bpsDenominator: 10_000,
} as const

/** Pattern of `from` and, by the same grammar, `to` (§4.1). */
export const SYMBOL_PATTERN = /^[A-Za-z0-9._-]{1,24}$/
/** A 20-byte address. Mixed case is accepted without checking the checksum: the specification requires only `0x`. */
export const ADDRESS_PATTERN = /^0x[0-9a-fA-F]{40}$/
/** A 32-byte transaction hash. */
export const TX_HASH_PATTERN = /^0x[0-9a-fA-F]{64}$/
/** Bytes as hex, two digits each. */
export const HEX_PATTERN = /^0x(?:[0-9a-fA-F]{2})*$/
/** A whole number of base units as decimal text, without sign or leading zero. */
export const BASE_UNITS_PATTERN = /^(?:0|[1-9][0-9]*)$/
