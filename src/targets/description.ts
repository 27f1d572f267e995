import { z } from 'zod'
import { ADDRESS_PATTERN, LIMITS, SYMBOL_PATTERN } from '../spec/limits.ts'
import type { ReportFigure } from '../spec/partnerReport.ts'
import { CAPABILITIES } from '../spec/requirements/index.ts'

const CAPABILITIES_SCHEMA = 'plumbline-capabilities/1'
export const KEYS_SCHEMA = 'plumbline-keys/1'

const address = z
  .string()
  .regex(ADDRESS_PATTERN, 'must be a 0x address')
  .transform((value) => value as `0x${string}`)
const symbol = z.string().regex(SYMBOL_PATTERN, 'must be a token symbol')

/** The name of a member, and of those around it where it is nested: `totals.swaps`. */
const figureName = z.string().min(1).optional()

/** What a target declares of itself, in a small file. */
export const capabilitiesSchema = z.strictObject({
  schema: z.literal(CAPABILITIES_SCHEMA),
  capabilities: z.array(z.enum(CAPABILITIES)),
  /** What the cases trade where no sandbox says: for a service on the deployed chain. */
  market: z
    .strictObject({
      from: symbol,
      to: symbol,
      amount: z.number().positive(),
      /** Who builds: an account that holds what it sells. It signs nothing. */
      sender: address,
      /** A token that the registry does not know. */
      outside: z
        .strictObject({
          symbol,
          address,
          decimals: z.int().min(LIMITS.decimals.min).max(LIMITS.decimals.max),
          against: symbol,
          amountSold: z.number().positive(),
          amountSpent: z.number().positive(),
        })
        .optional(),
    })
    .optional(),
  /** With the capability `confirm-budget`: how many reports all keys of a partner may send within a time. */
  confirmBudget: z
    .strictObject({
      // The suite sends twice as many, and waits for the time once.
      reports: z.int().min(2).max(1_000),
      windowS: z.number().positive().max(600),
    })
    .optional(),
  /** With the capability `partner-report`: where it is, and what its figures are called, where they differ from ours. */
  partnerReport: z
    .strictObject({
      path: z.string().startsWith('/').optional(),
      fields: z
        .strictObject({
          confirmedSwaps: figureName,
          lastConfirmationAt: figureName,
          estimatedInputUsd: figureName,
          pricedSwaps: figureName,
          unpricedSwaps: figureName,
        } satisfies Record<ReportFigure, typeof figureName>)
        .optional(),
    })
    .optional(),
  /** A shell command that revokes a key; {keyId} is replaced by the key's id in the keys file. In a file: run in its folder. */
  revokeKey: z.string().max(100_000).includes('{keyId}').optional(),
})
export type TargetDescription = z.output<typeof capabilitiesSchema>

/** The request budget of confirm, as a target declares it. */
export type ConfirmBudget = NonNullable<TargetDescription['confirmBudget']>

const key = (kind: 'individual' | 'legacy') =>
  z.strictObject({
    // It becomes part of a shell command.
    keyId: z.string().regex(/^[A-Za-z0-9._-]+$/, 'must be letters, digits, dot, dash and underscore'),
    partnerId: z.string().min(1),
    kind: z.literal(kind),
    /** What follows `Bearer ` in the header. */
    secret: z.string().min(1),
  })

/** The keys that a target knows, by the part they play. */
export const keysSchema = z.strictObject({
  schema: z.literal(KEYS_SCHEMA),
  keys: z.strictObject({
    one: key('individual'),
    two: key('individual'),
    legacy: key('legacy').optional(),
    retiring: key('individual').optional(),
    successor: key('individual').optional(),
  }),
})
export type TargetKeys = z.output<typeof keysSchema>['keys']

/** Returns what follows `Bearer ` in the header, by the name of the key. */
export function secretsByName(keys: TargetKeys): Readonly<Record<string, string>> {
  const all: [string, TargetKeys[keyof TargetKeys]][] = Object.entries(keys)
  return Object.fromEntries(all.flatMap(([name, key]) => (key === undefined ? [] : [[name, key.secret]])))
}

/** What is declared where no file says: attribution and Permit2, which the specification shows in full. */
export const DEFAULT_DESCRIPTION: TargetDescription = {
  schema: CAPABILITIES_SCHEMA,
  capabilities: ['attribution', 'permit2'],
}
