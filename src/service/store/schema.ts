import type { VenueId } from '../../spec/venues.ts'
import type { KeyKind } from '../records.ts'

/**
 * The tables, the same in both databases. Times are epoch milliseconds. Amounts are decimal text, because 256 bits
 * fit no integer type that SQLite and PostgreSQL share.
 */
export interface Tables {
  partner_keys: {
    key_id: string
    partner_id: string
    kind: KeyKind
    secret_sha256: string
    created_at_ms: number
    revoked_at_ms: number | null
  }
  builds: {
    build_id: string
    key_id: string
    partner_id: string
    venue: VenueId
    chain_id: number
    sender: string
    target: string
    calldata: string
    value_raw: string
    created_at_ms: number
    valid_until_ms: number
    token_in: string
    token_out: string
    amount_in_raw: string
    minimum_out_raw: string
    /** Fixed-width decimal text (see notional.ts), so that the database can sum it; null: unpriced. */
    notional_usd_micros: string | null
  }
  attributions: {
    build_id: string
    key_id: string
    tx_hash: string
    block_number: number
    block_hash: string
    block_timestamp_s: number
    confirmed_at_ms: number
  }
  budgets: {
    partner_id: string
    window_start_ms: number
    spent: number
  }
}
