import { isAddress as isCased } from 'viem'
import { isObject } from '../../spec/json.ts'
import { LIMITS } from '../../spec/limits.ts'
import type { Manifest } from '../../spec/manifest.ts'
import { isNumberText } from '../../spec/plainNumber.ts'
import type { RequirementId } from '../../spec/requirements/index.ts'
import { VENUE_IDS } from '../../spec/venues.ts'
import { buildRefusalStatuses } from '../response/errors.ts'
import { sameAddress } from '../verdict.ts'

/** A request as sent. A query is a list of names and texts, in which a name may repeat; a body is any text. */
export interface RawRequest {
  readonly endpoint: 'quote' | 'build' | 'confirm'
  readonly query?: readonly (readonly [string, string])[] | undefined
  readonly body?: string | undefined
}

/**
 * Grades of a part of a request by §4, from best to worst. `good`: every careful service accepts it; `legal`: the specification
 * accepts it, though some service may not; `open`: the specification is silent; `lenient`: it breaks a rule, though a forgiving
 * service may accept it; `bad`: it breaks a rule in every reading.
 */
const GRADES = ['good', 'legal', 'open', 'lenient', 'bad'] as const
type Grade = (typeof GRADES)[number]

/** The worst part of a request, and the rule that it is graded by. */
export interface Reading {
  readonly grade: Grade
  readonly requirement: RequirementId
  readonly why: string
  /** Statuses that build may refuse the request with, for any of its defects. */
  readonly refusedWith: readonly number[]
}

/** Returns the required outcome of a request. The reference reads strictly; other services are judged only beyond doubt. */
export function mustBe({ grade }: Reading, asReference: boolean): 'served' | 'refused' | 'either' {
  if (grade === 'good' || (asReference && grade === 'legal')) return 'served'
  return grade === 'bad' || (asReference && grade === 'lenient') ? 'refused' : 'either'
}

/** Returns whether a request breaks a rule when it is read strictly. */
export function breaksRule({ grade }: Reading): boolean {
  return GRADES.indexOf(grade) >= GRADES.indexOf('lenient')
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads a request by the text of §4 alone, independently of the schema that the service uses, so that the two can disagree.
 *
 * @param registryKnown true if the manifest lists every token that the service knows by its symbol alone.
 */
export function readRequest(manifest: Manifest, request: RawRequest, registryKnown: boolean): Reading {
  const { endpoint, query = [], body = '' } = request
  const names = query.map(([name]) => name).filter((name) => SWAP_FIELDS.has(name))
  if (new Set(names).size < names.length)
    return reading('lenient', 'quote.response.shape', 'a parameter is given twice')
  const fields = endpoint === 'quote' ? fieldsOf(query) : parsedObject(body)
  if (fields === null) {
    const requirement = endpoint === 'confirm' ? 'confirm.bad-request.json' : 'build.bad-request.json'
    return reading('bad', requirement, 'not a JSON object')
  }
  const readings = [
    ...(endpoint === 'confirm' ? ofReport(fields) : ofSwap(manifest, fields, endpoint, registryKnown)),
    // Not every service accepts a query number with an exponent.
    reading(
      query.some(([, text]) => /^-?[\d.]+e/i.test(text)) ? 'legal' : 'good',
      SERVED[endpoint],
      'exponent',
    ),
  ]
  const worst = Math.max(...readings.map(({ grade }) => GRADES.indexOf(grade)))
  const graded = readings.find(({ grade }) => GRADES.indexOf(grade) === worst) as Reading
  return { ...graded, refusedWith: readings.filter(breaksRule).flatMap(({ refusedWith }) => refusedWith) }
}

/** The clause for a request that breaks no other one. */
export const SERVED = {
  quote: 'quote.response.shape',
  build: 'build.response.route',
  confirm: 'confirm.build-not-found',
} as const

const reading = (grade: Grade, requirement: RequirementId, why: string): Reading => ({
  grade,
  requirement,
  why,
  refusedWith: buildRefusalStatuses(requirement),
})

const NUMERIC: ReadonlySet<string> = new Set([
  ...['amount', 'fromDecimals', 'toDecimals', 'slippageBps', 'partnerFeeBps', 'fromPriceUsd', 'toPriceUsd'],
])
/** The fields of quote and build. */
export const SWAP_FIELDS: ReadonlySet<string> = new Set([
  ...NUMERIC,
  ...['from', 'to', 'fromAddress', 'toAddress', 'sender', 'partnerFeeRecipient', 'preferEngine', 'engine'],
])

/** Returns the fields of a query: numeric fields as numbers if they are plain decimal text, all others as text. */
function fieldsOf(query: NonNullable<RawRequest['query']>): Fields {
  return Object.fromEntries(
    query.map(([name, text]) => [name, NUMERIC.has(name) && isNumberText(text) ? Number(text) : text]),
  )
}

function parsedObject(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function* ofReport(fields: Fields): Generator<Reading> {
  const [id, hash] = [fields.buildId, fields.txHash].map((value) => (typeof value === 'string' ? value : ''))
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id as string)
  // Some parsers accept a UUID without its dashes.
  const isBare = /^[0-9a-f]{32}$/i.test(id as string)
  yield reading(
    isId ? 'good' : isBare ? 'lenient' : 'bad',
    'confirm.bad-request.build-id',
    'buildId is not a UUID',
  )
  const isHash = /^0x[0-9a-f]{64}$/i.test(hash as string)
  const grade = !isHash ? 'bad' : hash?.startsWith('0X') ? 'lenient' : 'good'
  yield reading(grade, 'confirm.bad-request.tx-hash', 'txHash is not a hash')
  yield reading(Object.keys(fields).length > 2 ? 'legal' : 'good', SERVED.confirm, 'unknown fields')
}

function* ofSwap(
  manifest: Manifest,
  fields: Fields,
  endpoint: 'quote' | 'build',
  registryKnown: boolean,
): Generator<Reading> {
  const isBuild = endpoint === 'build'
  const pick = (quote: RequirementId, build: RequirementId) => (isBuild ? build : quote)
  const { from, to, amount, sender, slippageBps, partnerFeeBps, partnerFeeRecipient } = fields
  yield reading(symbolGrade(from), pick('quote.from.pattern', 'build.from.required'), 'from is not a symbol')
  yield reading(symbolGrade(to), pick('limits.symbol', 'build.to.required'), 'to is not a symbol')
  const ofAmount = pick('quote.amount.positive', 'build.amount.required')
  yield reading(amountGrade(amount), ofAmount, 'amount is not above 0')
  yield reading(
    senderGrade(sender, isBuild),
    sender === undefined ? 'build.bad-request.sender' : 'build.bad-request.invalid-address',
    'sender is missing or not an address',
  )
  const ofSlippage = pick('quote.slippage.range', 'build.slippage.range')
  yield reading(rangeGrade(slippageBps, LIMITS.slippageBps), ofSlippage, 'slippageBps out of range')
  const ofFee = pick('quote.partner-fee.range', 'build.partner-fee.range')
  yield reading(rangeGrade(partnerFeeBps, LIMITS.partnerFeeBps), ofFee, 'partnerFeeBps out of range')
  if (partnerFeeRecipient === undefined) {
    const ofPayee = pick('quote.partner-fee.requires-recipient', 'build.bad-request.fee-without-recipient')
    yield reading(isPositive(partnerFeeBps) ? 'bad' : 'good', ofPayee, 'a fee without recipient')
  } else {
    const ofPayee = pick('quote.partner-fee-recipient.address', 'build.bad-request.invalid-address')
    const grade = addressGrade(partnerFeeRecipient)
    // Without a fee, a service need not read the recipient.
    const isUnused = grade === 'bad' && !isPositive(partnerFeeBps)
    yield reading(isUnused ? 'lenient' : grade, ofPayee, 'partnerFeeRecipient is not an address')
  }
  const ofVenue = pick('quote.prefer-engine.known', 'build.prefer-engine.known')
  yield reading(venueGrade(fields), ofVenue, 'no such venue')
  for (const name of ['fromPriceUsd', 'toPriceUsd'] as const) {
    yield reading(markGrade(fields[name]), 'quote.price-marks.accepted', `${name} is not a price`)
  }
  for (const side of ['from', 'to'] as const) {
    const ofToken = pick(`quote.${side}-address.required`, 'build.unknown-token.required')
    const why = `${side}Address or ${side}Decimals is missing or invalid`
    yield reading(tokenGrade(manifest, fields, side, registryKnown), ofToken, why)
  }
  yield reading(from === to ? 'open' : 'good', 'quote.same-token', 'from and to are the same token')
  // Some services refuse fields that no table lists.
  const strangers = Object.keys(fields).some((name) => !SWAP_FIELDS.has(name))
  yield reading(strangers ? 'legal' : 'good', SERVED[endpoint], 'unknown fields')
}

const isPositive = (value: unknown): value is number =>
  typeof value === 'number' && value > 0 && Number.isFinite(value)
const isAddress = (value: unknown): boolean => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)
/** Returns whether a value is a number from `least` to `most` that prints in plain digits. */
const isPlain = (value: unknown, least: number, most: number): boolean =>
  isPositive(value) && least <= value && value <= most && /^\d+(\.\d+)?$/.test(String(value))
/** Returns whether no parser reads a text as a number. */
const isWord = (text: string): boolean =>
  text === '' || (/^[a-z_]{2,}$/i.test(text) && !/^inf(inity)?$/i.test(text))

function symbolGrade(value: unknown): Grade {
  if (typeof value !== 'string') return value === undefined || typeof value === 'object' ? 'bad' : 'lenient'
  if (/^[A-Za-z0-9._-]{1,24}$/.test(value)) return 'good'
  return value.trim() !== value ? 'lenient' : 'bad'
}

/** Grades an amount. A good one is whole in base units of any registry token, and overflows no contract's integer. */
function amountGrade(value: unknown): Grade {
  if (typeof value === 'string') return isWord(value) ? 'bad' : 'lenient'
  if (typeof value !== 'number' || value <= 0) return 'bad'
  if (isPlain(value, 1e-3, 1e9)) return 'good'
  return isPositive(value) ? 'open' : 'lenient'
}

function rangeGrade(value: unknown, { min, max }: { min: number; max: number }): Grade {
  if (value === undefined) return 'good'
  if (typeof value === 'string') return value !== '' && isWord(value) ? 'bad' : 'lenient'
  if (typeof value !== 'number') return 'lenient'
  if (Object.is(value, -0)) return 'legal'
  return Number.isInteger(value) && min <= value && value <= max ? 'good' : 'bad'
}

function addressGrade(value: unknown): Grade {
  // §7 lists an invalid address for 400, but not a value of another type.
  if (typeof value !== 'string') return 'lenient'
  // Some services refuse an address that is neither in lower case nor in its checksum's letter case (EIP-55).
  if (isAddress(value)) return /^0x0+$/.test(value) || !isCased(value) ? 'legal' : 'good'
  return value.trim() !== value || value === '' || value.startsWith('0X') ? 'lenient' : 'bad'
}

/** Grades the sender, which a build needs. What quote does with an invalid one is not shown. */
function senderGrade(value: unknown, isBuild: boolean): Grade {
  if (value === undefined) return isBuild ? 'bad' : 'good'
  const grade = addressGrade(value)
  return grade === 'bad' && !isBuild ? 'lenient' : grade
}

function venueGrade({ preferEngine, engine }: Fields): Grade {
  const given = [preferEngine, engine].filter((value) => value !== undefined)
  const areKnown = given.every((value) => (VENUE_IDS as readonly unknown[]).includes(value))
  if (new Set(given).size > 1) return areKnown ? 'open' : 'lenient'
  // The specification does not show whether a request may use an alias and the name itself together.
  if (areKnown) return given.length > 1 ? 'legal' : 'good'
  const [value] = given
  // The specification does not show whether ids are case-sensitive.
  const isWord = typeof value === 'string' && value.trim() === value && value !== ''
  return isWord && !(VENUE_IDS as readonly string[]).includes(value.toLowerCase()) ? 'bad' : 'lenient'
}

function markGrade(value: unknown): Grade {
  if (value === undefined || isPlain(value, 1e-6, 1e6)) return 'good'
  if (isPositive(value)) return 'legal'
  return typeof value === 'number' ? 'open' : 'lenient'
}

/** Grades a token: one that the registry does not list needs its address and its decimals (§4.1). */
function tokenGrade(manifest: Manifest, fields: Fields, side: 'from' | 'to', registryKnown: boolean): Grade {
  const symbol = String(fields[side])
  const [address, decimals] = [fields[`${side}Address`], fields[`${side}Decimals`]]
  const isListed = manifest.registry.some((token) => token.symbol === fields[side])
  if (address === undefined && decimals === undefined) {
    if (isListed) return 'good'
    const isAlike = manifest.registry.some((token) => token.symbol.toLowerCase() === symbol.toLowerCase())
    return registryKnown && !isAlike ? 'bad' : 'lenient'
  }
  // A sandbox token outside the registry, matched by address and decimals: §4.1 prices it under any symbol.
  const isKnown = manifest.otherTokens.some(
    (token) => token.decimals === decimals && sameAddress(token.address, String(address)),
  )
  if (registryKnown && isKnown && !isListed) return addressGrade(address)
  const isSource = isAddress(address) || (side === 'from' && address === 'native')
  const areSound =
    (address === undefined ? isListed : isSource) &&
    (decimals === undefined ? isListed : ['good', 'legal'].includes(rangeGrade(decimals, LIMITS.decimals)))
  return areSound ? 'open' : 'lenient'
}
