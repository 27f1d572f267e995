import type { Selectable } from 'kysely'
import type { Attribution, Build, KeyRecord } from '../records.ts'
import { encodeNotional } from './notional.ts'
import type { Tables } from './schema.ts'

/** Converts between rows and records. Hex is stored in lower case, so that equal text means equal bytes. */

type KeyRow = Selectable<Tables['partner_keys']>
export type BuildRow = Selectable<Tables['builds']>
export type AttributionRow = Selectable<Tables['attributions']>

export const keyToRow = (key: KeyRecord): KeyRow => ({
  key_id: key.keyId,
  partner_id: key.partnerId,
  kind: key.kind,
  secret_sha256: key.secretSha256.toLowerCase(),
  created_at_ms: key.createdAtMs,
  revoked_at_ms: key.revokedAtMs,
})

export const keyFromRow = (row: KeyRow): KeyRecord => ({
  keyId: row.key_id,
  partnerId: row.partner_id,
  kind: row.kind,
  secretSha256: row.secret_sha256,
  createdAtMs: row.created_at_ms,
  revokedAtMs: row.revoked_at_ms,
})

export const buildToRow = (build: Build): BuildRow => ({
  build_id: build.buildId,
  key_id: build.keyId,
  partner_id: build.partnerId,
  venue: build.venue,
  chain_id: build.chainId,
  sender: build.sender.toLowerCase(),
  target: build.target.toLowerCase(),
  calldata: build.calldata.toLowerCase(),
  value_raw: build.valueRaw.toString(),
  created_at_ms: build.createdAtMs,
  valid_until_ms: build.validUntilMs,
  token_in: build.tokenIn,
  token_out: build.tokenOut,
  amount_in_raw: build.amountInRaw.toString(),
  minimum_out_raw: build.minimumOutRaw.toString(),
  notional_usd_micros: build.notionalUsdMicros === null ? null : encodeNotional(build.notionalUsdMicros),
})

export const buildFromRow = (row: BuildRow): Build => ({
  buildId: row.build_id,
  keyId: row.key_id,
  partnerId: row.partner_id,
  venue: row.venue,
  chainId: row.chain_id,
  sender: row.sender,
  target: row.target,
  calldata: row.calldata,
  valueRaw: BigInt(row.value_raw),
  createdAtMs: row.created_at_ms,
  validUntilMs: row.valid_until_ms,
  tokenIn: row.token_in,
  tokenOut: row.token_out,
  amountInRaw: BigInt(row.amount_in_raw),
  minimumOutRaw: BigInt(row.minimum_out_raw),
  notionalUsdMicros: row.notional_usd_micros === null ? null : BigInt(row.notional_usd_micros),
})

export const attributionToRow = (attribution: Attribution): AttributionRow => ({
  build_id: attribution.buildId,
  key_id: attribution.keyId,
  tx_hash: attribution.txHash.toLowerCase(),
  block_number: Number(attribution.blockNumber),
  block_hash: attribution.blockHash.toLowerCase(),
  block_timestamp_s: attribution.blockTimestampS,
  confirmed_at_ms: attribution.confirmedAtMs,
})

export const attributionFromRow = (row: AttributionRow): Attribution => ({
  buildId: row.build_id,
  keyId: row.key_id,
  txHash: row.tx_hash,
  blockNumber: BigInt(row.block_number),
  blockHash: row.block_hash,
  blockTimestampS: row.block_timestamp_s,
  confirmedAtMs: row.confirmed_at_ms,
})
