import { z } from 'zod'
import { ACCOUNTS } from '../src/fixtures/accounts.ts'
import { factsOf, parametersOf, type SwapFacts, type SwapParameters } from '../src/oracles/index.ts'
import type { Manifest } from '../src/spec/manifest.ts'
import { MARKET, VENUE_IDS } from '../src/spec/venues.ts'
import type { Route } from '../src/spec/wire.ts'

/** The accounts that a case may name. */
export const PEOPLE = ['alice', 'bob', 'carol', 'blocked', 'unfunded'] as const
const RECIPIENTS = ['partnerOne', 'partnerTwo'] as const

/** One requested swap of a case, with names instead of addresses. */
export const generatedSwapSchema = z.strictObject({
  from: z.string(),
  to: z.string(),
  amount: z.number().positive(),
  slippageBps: z.int().min(0).max(5000).optional(),
  /** The partner fee and its recipient. */
  fee: z.strictObject({ bps: z.int().min(0).max(50), to: z.enum(RECIPIENTS) }).optional(),
  preferEngine: z.enum(VENUE_IDS).optional(),
  fromPriceUsd: z.number().positive().optional(),
  toPriceUsd: z.number().positive().optional(),
  /** The decimals that the request claims for tokens outside the registry; its figures use these. */
  fromDecimals: z.int().min(0).max(36).optional(),
  toDecimals: z.int().min(0).max(36).optional(),
  sender: z.enum(PEOPLE).optional(),
})
export type GeneratedSwap = z.output<typeof generatedSwapSchema>

/** A requested swap with everything that the harness knows of it. */
export interface Worked {
  readonly ask: GeneratedSwap
  readonly swap: SwapParameters & { readonly sender?: `0x${string}` }
  /** The manifest with the decimals that the request claims. */
  readonly manifest: Manifest
  readonly facts: SwapFacts
  readonly parameters: Readonly<Record<string, string | number>>
}

/** Derives the facts of a requested swap from the manifest. */
export function workOut(manifest: Manifest, ask: GeneratedSwap): Worked {
  const { fee, sender, fromDecimals, toDecimals, ...rest } = ask
  const swap: Worked['swap'] = {
    ...defined(rest),
    ...(fee === undefined ? {} : { partnerFeeBps: fee.bps, partnerFeeRecipient: ACCOUNTS[fee.to].address }),
    ...(sender === undefined ? {} : { sender: ACCOUNTS[sender].address }),
  }
  const claimed: Readonly<Record<string, number | undefined>> = {
    [ask.from]: fromDecimals,
    [ask.to]: toDecimals,
  }
  const claimedManifest: Manifest = {
    ...manifest,
    otherTokens: manifest.otherTokens.map((token) => ({
      ...token,
      decimals: claimed[token.symbol] ?? token.decimals,
    })),
  }
  return {
    ask,
    swap,
    manifest: claimedManifest,
    facts: factsOf(claimedManifest, swap),
    parameters: parametersOf(claimedManifest, swap),
  }
}

/** Removes members that are undefined: a rest pattern removes them only from the type. */
function defined<Value extends object>(value: Value): { [K in keyof Value]: Exclude<Value[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as never
}

const USUAL_DIGITS = 15

/** Returns the classes of a requested swap. They are read from the swap itself, so they stay right when a generator changes. */
export function* labelsOfSwap({ ask, facts }: Worked): Generator<string> {
  const { amountInRaw, tokenIn, tokenOut } = facts
  const text = String(ask.amount)
  if (amountInRaw === 0n) yield 'amount: dust that rounds to zero'
  if (amountInRaw === 1n) yield 'amount: one base unit'
  if (text.includes('e')) yield 'amount: exponent'
  const digits = text.replace(/e.*$/, '').replace('.', '').replace(/^0+/, '')
  if (digits.length > USUAL_DIGITS) yield 'amount: last digit of a double'
  if (2n ** 53n - 1n <= amountInRaw && amountInRaw <= 2n ** 53n + 1n) yield 'amount: 2^53 ± 1'
  if (fractionDigits(text) > tokenIn.decimals) yield 'amount: surplus digits'
  yield `decimals in: ${decimalsClass(tokenIn.decimals)}`
  yield `decimals out: ${decimalsClass(tokenOut.decimals)}`
  yield facts.inputIsNative ? 'native in' : facts.outputIsNative ? 'native out' : 'erc20 to erc20'
  const bps = ask.fee?.bps
  yield bps === undefined ? 'fee: none' : bps === 0 ? 'fee: 0' : bps === 50 ? 'fee: 50' : 'fee: between'
  const slippage = ask.slippageBps
  yield slippage === undefined
    ? 'slippage: default'
    : slippage === 0
      ? 'slippage: 0'
      : slippage === 5000
        ? 'slippage: 5000'
        : 'slippage: between'
  if (ask.preferEngine !== undefined) yield 'one venue forced'
  if (ask.fromPriceUsd !== undefined || ask.toPriceUsd !== undefined) yield 'marks of the caller'
  if (ask.sender !== undefined) yield 'with sender'
}

function decimalsClass(decimals: number): string {
  return decimals === 0
    ? '0'
    : decimals === 36
      ? '36'
      : decimals === 6 || decimals === 18
        ? `${decimals}`
        : 'other'
}

/** Returns the number of fraction digits, with the exponent expanded. */
function fractionDigits(text: string): number {
  const [mantissa = '', exponent = '0'] = text.split('e')
  const fraction = mantissa.split('.')[1]?.length ?? 0
  return Math.max(0, fraction - Number(exponent))
}

/** Returns the class of a quote by its winning venue. */
export function labelOfRoute(route: Route | null): string {
  if (route === null) return 'answer: no route'
  return route.engine === MARKET ? 'answer: market' : `answer: ${route.engine} wins`
}
