import { LIMITS } from '../../src/spec/limits.ts'
import type { Manifest } from '../../src/spec/manifest.ts'
import { VENUE_IDS } from '../../src/spec/venues.ts'

/** A request as it is sent. A query's values are texts, each as often as it is given; a body is any text. */
export interface RawRequest {
  readonly endpoint: 'quote' | 'build' | 'confirm'
  readonly query?: readonly (readonly [string, string])[] | undefined
  readonly body?: string | undefined
}

/** Amounts between these are whole base units of any token of the registry, and no integer of a contract overflows. */
export const PLAIN_AMOUNTS = { least: 1e-3, most: 1e9 } as const

/**
 * Whether a swap of registry tokens is asked for in the plainest way: nothing that contradicts the registry or itself,
 * no token twice, an amount that any token can hold.
 */
export function isPlainSwap(manifest: Manifest, request: RawRequest): boolean {
  const fields = fieldsOf(request)
  if (fields === null || typeof fields === 'string' || request.endpoint === 'confirm') return false
  const { from, to, amount, engine, preferEngine } = fields
  const listed = (symbol: unknown) => manifest.registry.some((token) => token.symbol === symbol)
  const silent = (name: string) => fields[name] === undefined
  return (
    listed(from) &&
    listed(to) &&
    from !== to &&
    ['fromAddress', 'toAddress', 'fromDecimals', 'toDecimals'].every(silent) &&
    (engine === undefined || preferEngine === undefined || engine === preferEngine) &&
    ['fromPriceUsd', 'toPriceUsd'].every((name) => silent(name) || isPositive(fields[name])) &&
    typeof amount === 'number' &&
    PLAIN_AMOUNTS.least <= amount &&
    amount <= PLAIN_AMOUNTS.most
  )
}

type Fields = Readonly<Record<string, unknown>>

/**
 * The first rule of §4 that a request breaks, in words; null: it breaks none. Read from the text of the specification
 * alone, so that it can disagree with the schema that the service reads requests with.
 */
export function brokenRule(manifest: Manifest, request: RawRequest): string | null {
  const fields = fieldsOf(request)
  if (fields === null) return 'not a JSON object'
  if (typeof fields === 'string') return fields
  if (request.endpoint === 'confirm') return brokenByReport(fields)
  return brokenBySwap(manifest, fields, request.endpoint)
}

/** The fields by name. Of a query, numbers are read from their text; a name given twice is no one value. */
export function fieldsOf({ endpoint, query, body }: RawRequest): Fields | string | null {
  if (endpoint !== 'quote') return parsedObject(body ?? '')
  const fields: Record<string, unknown> = {}
  for (const [name, text] of query ?? []) {
    if (KNOWN.has(name) && Object.hasOwn(fields, name)) return `${name} is given twice`
    fields[name] = NUMERIC.has(name) ? numberOf(text) : text
  }
  return fields
}

const NUMERIC: ReadonlySet<string> = new Set([
  'amount',
  'fromDecimals',
  'toDecimals',
  'slippageBps',
  'partnerFeeBps',
  'fromPriceUsd',
  'toPriceUsd',
])
const KNOWN: ReadonlySet<string> = new Set([
  ...NUMERIC,
  'from',
  'to',
  'fromAddress',
  'toAddress',
  'sender',
  'partnerFeeRecipient',
  'preferEngine',
  'engine',
])

/** A decimal number as a client writes one; any other text is none. */
function numberOf(text: string): unknown {
  return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : text
}

function parsedObject(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
  } catch {
    return null
  }
}

function brokenByReport({ buildId, txHash }: Fields): string | null {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
  if (typeof buildId !== 'string' || !uuid.test(buildId)) return 'buildId is no UUID'
  if (typeof txHash !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(txHash)) return 'txHash is no hash'
  return null
}

const isAddress = (value: unknown): boolean => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)
const isSymbol = (value: unknown): boolean =>
  typeof value === 'string' && /^[A-Za-z0-9._-]{1,24}$/.test(value)
const isPositive = (value: unknown): boolean =>
  typeof value === 'number' && value > 0 && Number.isFinite(value)
const isBetween = (value: unknown, { min, max }: { min: number; max: number }): boolean =>
  typeof value === 'number' && Number.isInteger(value) && min <= value && value <= max

function brokenBySwap(manifest: Manifest, fields: Fields, endpoint: 'quote' | 'build'): string | null {
  const { amount, slippageBps, partnerFeeBps, partnerFeeRecipient, sender } = fields
  for (const side of ['from', 'to'] as const) if (!isSymbol(fields[side])) return `${side} is no symbol`
  if (!isPositive(amount)) return 'amount is not above 0'
  if (endpoint === 'build' && sender === undefined) return 'sender is missing'
  if (sender !== undefined && !isAddress(sender)) return 'sender is no address'
  if (slippageBps !== undefined && !isBetween(slippageBps, LIMITS.slippageBps))
    return 'slippageBps out of range'
  if (partnerFeeBps !== undefined && !isBetween(partnerFeeBps, LIMITS.partnerFeeBps))
    return 'partnerFeeBps out of range'
  if (partnerFeeRecipient !== undefined && !isAddress(partnerFeeRecipient))
    return 'partnerFeeRecipient is no address'
  if (Number(partnerFeeBps ?? 0) > 0 && partnerFeeRecipient === undefined) return 'a fee without recipient'
  for (const name of ['preferEngine', 'engine'] as const) {
    const venue = fields[name]
    if (venue !== undefined && !(VENUE_IDS as readonly unknown[]).includes(venue))
      return `${name} is no venue`
  }
  for (const name of ['fromPriceUsd', 'toPriceUsd'] as const)
    if (fields[name] !== undefined && typeof fields[name] !== 'number') return `${name} is no number`
  for (const side of ['from', 'to'] as const) {
    const broken = brokenByToken(manifest, fields, side)
    if (broken !== null) return broken
  }
  return null
}

/** §4.1: a token that the registry does not know needs its address and its decimals. */
function brokenByToken(manifest: Manifest, fields: Fields, side: 'from' | 'to'): string | null {
  const [address, decimals] = [fields[`${side}Address`], fields[`${side}Decimals`]]
  const isNative = side === 'from' && address === 'native'
  if (address !== undefined && !isNative && !isAddress(address)) return `${side}Address is no address`
  if (decimals !== undefined && !isBetween(decimals, LIMITS.decimals)) return `${side}Decimals out of range`
  if (manifest.registry.some(({ symbol }) => symbol === fields[side])) return null
  if (address === undefined) return `${side}Address is missing`
  if (decimals === undefined) return `${side}Decimals is missing`
  return null
}
