import { ADDRESS_PATTERN, LIMITS, SYMBOL_PATTERN } from '../../src/spec/limits.ts'
import type { Manifest } from '../../src/spec/manifest.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { VENUE_IDS } from '../../src/spec/venues.ts'
import { fieldsOf, PLAIN_AMOUNTS, type RawRequest } from './grammar.ts'

/**
 * What any service must make of a request. `broken`: it breaks a rule, however it is read; `sound`: it keeps every rule,
 * however it is read; `unclear`: some careful service refuses it and another serves it.
 */
export type Clearness =
  | { readonly kind: 'sound' | 'unclear' }
  | { readonly kind: 'broken'; readonly requirement: RequirementId; readonly why: string }

const SOUND: Clearness = { kind: 'sound' }
const UNCLEAR: Clearness = { kind: 'unclear' }

/**
 * Reads a request as the most forgiving and as the strictest service would.
 *
 * @param registryKnown Whether the manifest lists every token that the service knows by its symbol alone.
 */
export function clearnessOf(manifest: Manifest, request: RawRequest, registryKnown: boolean): Clearness {
  const { endpoint } = request
  const fields = fieldsOf(request)
  if (typeof fields === 'string') return UNCLEAR
  if (fields === null)
    return broken(
      endpoint === 'confirm' ? 'confirm.bad-request.json' : 'build.bad-request.json',
      'no JSON object',
    )
  if (endpoint === 'confirm') return ofReport(fields)
  const told = new Reading(manifest, fields, endpoint, registryKnown).clearness()
  return told.kind === 'sound' && (request.query ?? []).some(isOddlyWritten) ? UNCLEAR : told
}

function broken(requirement: RequirementId, why: string): Clearness {
  return { kind: 'broken', requirement, why }
}

/** A name that no table has, or a number with an exponent, which not every reader of a query takes for one. */
function isOddlyWritten([name, text]: readonly [string, string]): boolean {
  return !KNOWN.has(name) || /^-?[\d.]+e/i.test(text)
}

type Fields = Readonly<Record<string, unknown>>

function ofReport(fields: Fields): Clearness {
  const { buildId, txHash } = fields
  const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
  const isUuid = typeof buildId === 'string' && uuid.test(buildId)
  const isHash = typeof txHash === 'string' && /^0x[0-9a-f]{64}$/i.test(txHash)
  // Some readers take a UUID without its dashes.
  const isBare = typeof buildId === 'string' && /^[0-9a-f]{32}$/i.test(buildId)
  if (!isUuid && !isBare) return broken('confirm.bad-request.build-id', 'buildId is no UUID')
  if (!isHash) return broken('confirm.bad-request.tx-hash', 'txHash is no hash')
  const odd = isBare || String(txHash).startsWith('0X') || Object.keys(fields).length > 2
  return odd ? UNCLEAR : SOUND
}

type Grade = 'good' | 'odd' | 'bad'

/** A text that no reader takes for a number. */
const isWord = (text: string): boolean => /^[a-z_]{2,}$/i.test(text) && !/^inf(inity)?$/i.test(text)
const isPlainNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && /^-?\d+(\.\d+)?$/.test(String(value))

class Reading {
  readonly #manifest: Manifest
  readonly #fields: Fields
  readonly #endpoint: 'quote' | 'build'
  readonly #registryKnown: boolean

  constructor(manifest: Manifest, fields: Fields, endpoint: 'quote' | 'build', registryKnown: boolean) {
    this.#manifest = manifest
    this.#fields = fields
    this.#endpoint = endpoint
    this.#registryKnown = registryKnown
  }

  clearness(): Clearness {
    const grades = [...this.#grades()]
    const bad = grades.find(({ grade }) => grade === 'bad')
    if (bad !== undefined) return broken(bad.requirement, bad.why)
    return grades.some(({ grade }) => grade === 'odd') || this.#hasStrangers() ? UNCLEAR : SOUND
  }

  *#grades(): Generator<{ grade: Grade; requirement: RequirementId; why: string }> {
    const build = this.#endpoint === 'build'
    const pick = (quote: RequirementId, ofBuild: RequirementId): RequirementId => (build ? ofBuild : quote)
    const { from, to, amount, sender, slippageBps, partnerFeeBps, partnerFeeRecipient } = this.#fields
    yield {
      grade: this.#symbol(from),
      requirement: pick('quote.from.pattern', 'build.from.required'),
      why: 'from is no symbol',
    }
    yield {
      grade: this.#symbol(to),
      requirement: pick('limits.symbol', 'build.to.required'),
      why: 'to is no symbol',
    }
    yield {
      grade: amountGrade(amount),
      requirement: pick('quote.amount.positive', 'build.amount.required'),
      why: 'amount is not above 0',
    }
    yield {
      grade: build
        ? sender === undefined
          ? 'bad'
          : addressGrade(sender)
        : // Nothing says what quote does with a sender that is none.
          sender === undefined || addressGrade(sender) === 'good'
          ? 'good'
          : 'odd',
      requirement: sender === undefined ? 'build.bad-request.sender' : 'build.bad-request.invalid-address',
      why: 'sender is missing, or no address',
    }
    yield {
      grade: rangeGrade(slippageBps, LIMITS.slippageBps),
      requirement: pick('quote.slippage.range', 'build.slippage.range'),
      why: 'slippageBps out of range',
    }
    yield {
      grade: rangeGrade(partnerFeeBps, LIMITS.partnerFeeBps),
      requirement: pick('quote.partner-fee.range', 'build.partner-fee.range'),
      why: 'partnerFeeBps out of range',
    }
    const needed = isPlainNumber(partnerFeeBps) && partnerFeeBps > 0
    yield {
      grade:
        partnerFeeRecipient === undefined ? (needed ? 'bad' : 'good') : addressGrade(partnerFeeRecipient),
      requirement:
        partnerFeeRecipient === undefined
          ? pick('quote.partner-fee.requires-recipient', 'build.partner-fee.requires-recipient')
          : pick('quote.partner-fee-recipient.address', 'build.partner-fee-recipient.address'),
      why: 'a fee without recipient, or one that is no address',
    }
    yield {
      grade: this.#venue(),
      requirement: pick('quote.prefer-engine.known', 'build.prefer-engine.known'),
      why: 'no such venue',
    }
    for (const name of ['fromPriceUsd', 'toPriceUsd'] as const) {
      const value = this.#fields[name]
      const plain = value === undefined || (isPlainNumber(value) && 1e-6 <= value && value <= 1e6)
      yield { grade: plain ? 'good' : 'odd', requirement: 'quote.price-marks.accepted', why: name }
    }
    yield* this.#tokens(pick)
  }

  /** What a registry symbol may stand beside, and what a token without one lacks. */
  *#tokens(pick: (quote: RequirementId, build: RequirementId) => RequirementId) {
    for (const side of ['from', 'to'] as const) {
      const symbol = this.#fields[side]
      const [address, decimals] = [this.#fields[`${side}Address`], this.#fields[`${side}Decimals`]]
      const listed = this.#manifest.registry.some((token) => token.symbol === symbol)
      const alike = this.#manifest.registry.some(
        (token) => token.symbol.toLowerCase() === String(symbol).toLowerCase(),
      )
      const bare = address === undefined && decimals === undefined
      const missing = !alike && bare && this.#registryKnown
      yield {
        grade: listed && bare ? 'good' : missing ? 'bad' : 'odd',
        requirement: pick(`quote.${side}-address.required`, 'build.unknown-token.required'),
        why: `${side}Address and ${side}Decimals are missing`,
      } as const
    }
    if (this.#fields.from === this.#fields.to)
      yield { grade: 'odd', requirement: 'quote.same-token', why: 'one token twice' } as const
  }

  #symbol(value: unknown): Grade {
    if (value === undefined || value === null) return 'bad'
    if (typeof value !== 'string') return typeof value === 'object' ? 'bad' : 'odd'
    return SYMBOL_PATTERN.test(value) ? 'good' : value.trim() !== value ? 'odd' : 'bad'
  }

  #venue(): Grade {
    const { preferEngine, engine } = this.#fields
    if (preferEngine !== undefined && engine !== undefined && preferEngine !== engine) return 'odd'
    const value = preferEngine ?? engine
    if (value === undefined) return 'good'
    if ((VENUE_IDS as readonly unknown[]).includes(value)) return 'good'
    return typeof value === 'string' && value.trim() === value && value !== '' ? 'bad' : 'odd'
  }

  /** Fields that no table names: some services ignore them, others refuse them. */
  #hasStrangers(): boolean {
    return Object.keys(this.#fields).some((name) => !KNOWN.has(name))
  }
}

const KNOWN: ReadonlySet<string> = new Set([
  ...['from', 'to', 'amount', 'sender', 'slippageBps', 'partnerFeeBps', 'partnerFeeRecipient'],
  ...['preferEngine', 'engine', 'fromPriceUsd', 'toPriceUsd'],
  ...['fromAddress', 'toAddress', 'fromDecimals', 'toDecimals'],
])

function amountGrade(value: unknown): Grade {
  if (value === undefined || value === null || typeof value === 'boolean' || typeof value === 'object')
    return 'bad'
  if (typeof value === 'string') return isWord(value) || value === '' ? 'bad' : 'odd'
  const amount = value as number
  if (amount <= 0) return 'bad'
  return isPlainNumber(amount) && PLAIN_AMOUNTS.least <= amount && amount <= PLAIN_AMOUNTS.most
    ? 'good'
    : 'odd'
}

function rangeGrade(value: unknown, { min, max }: { min: number; max: number }): Grade {
  if (value === undefined) return 'good'
  if (typeof value === 'string') return isWord(value) ? 'bad' : 'odd'
  if (typeof value !== 'number' || Object.is(value, -0)) return 'odd'
  return Number.isInteger(value) && min <= value && value <= max ? 'good' : 'bad'
}

function addressGrade(value: unknown): Grade {
  if (typeof value !== 'string') return value === null || value === undefined ? 'odd' : 'bad'
  if (ADDRESS_PATTERN.test(value)) return /^0x0+$/.test(value) ? 'odd' : 'good'
  return value.trim() !== value || value === '' || value.startsWith('0X') ? 'odd' : 'bad'
}
