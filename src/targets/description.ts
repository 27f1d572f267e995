import { z } from 'zod'
import { ADDRESS_PATTERN, LIMITS, SYMBOL_PATTERN } from '../spec/limits.ts'
import type { ReportFigure } from '../spec/partnerReport.ts'
import { CAPABILITIES } from '../spec/requirements/index.ts'

export const CAPABILITIES_SCHEMA = 'plumbline-capabilities/1'
export const KEYS_SCHEMA = 'plumbline-keys/1'

const address = z
  .string()
  .regex(ADDRESS_PATTERN, 'must be a 0x address')
  .transform((value) => value as `0x${string}`)
const symbol = z.string().regex(SYMBOL_PATTERN, 'must be a token symbol')

/** Name of a member, with those around it where it is nested: `totals.swaps`. */
const figureName = z.string().min(1).optional()

/** A target's declaration of itself, in a small file. */
export const capabilitiesSchema = z.strictObject({
  schema: z.literal(CAPABILITIES_SCHEMA),
  capabilities: z
    .array(z.enum(CAPABILITIES))
    .describe('What the implementation serves beyond quotes, builds and reports.'),
  market: z
    .strictObject({
      from: symbol.describe('The symbol of the token that is sold.'),
      to: symbol.describe('The symbol of the token that is bought.'),
      amount: z.number().positive().describe('How much is sold, in human units.'),
      sender: address.describe('The account that builds: it holds what it sells, and signs nothing.'),
      outside: z
        .strictObject({
          symbol: symbol.describe('Its symbol.'),
          address: address.describe('Its contract.'),
          decimals: z.int().min(LIMITS.decimals.min).max(LIMITS.decimals.max).describe('Its decimals.'),
          against: symbol.describe('The symbol of the token that it is traded against.'),
          amountSold: z.number().positive().describe('How much of it is sold, in human units.'),
          amountSpent: z
            .number()
            .positive()
            .describe('How much of `against` is spent for it, in human units.'),
        })
        .optional()
        .describe('A token that the registry does not know.'),
    })
    .optional()
    .describe('The swaps of the cases where there is no sandbox: for a service on the deployed chain.'),
  confirmBudget: z
    .strictObject({
      // The suite sends twice as many, and waits for the window once.
      reports: z.int().min(2).max(1_000).describe('How many reports.'),
      windowS: z.number().positive().max(600).describe('Within how many seconds.'),
    })
    .optional()
    .describe(
      'With the capability `confirm-budget`: how many reports all keys of a partner may send within a time.',
    ),
  partnerReport: z
    .strictObject({
      path: z.string().startsWith('/').optional().describe('The path of the report.'),
      fields: z
        .strictObject({
          confirmedSwaps: figureName.describe('The number of confirmed swaps.'),
          lastConfirmationAt: figureName.describe('The time of the last confirmation.'),
          estimatedInputUsd: figureName.describe('The estimated USD value of the inputs.'),
          pricedSwaps: figureName.describe('The number of swaps with a price.'),
          unpricedSwaps: figureName.describe('The number of swaps without a price.'),
        } satisfies Record<ReportFigure, typeof figureName>)
        .optional()
        .describe('The names of its figures, with a dot for each level.'),
      lagS: z
        .number()
        .positive()
        .max(60)
        .optional()
        .describe('How old its figures may be, in seconds. Default: they are current.'),
    })
    .optional()
    .describe(
      'With the capability `partner-report`: its path and the names of its figures, where they differ from the defaults.',
    ),
  revokeKey: z
    .string()
    .max(100_000)
    .includes('{keyId}')
    .optional()
    .describe(
      "A shell command that revokes a key; {keyId} is replaced by the key's id in the keys file, {start} by the command that starts the service, in the folder where it starts. In a file: run in its folder.",
    ),
})
export type TargetDescription = z.output<typeof capabilitiesSchema>

/** The request budget of confirm, as a target declares it. */
export type ConfirmBudget = NonNullable<TargetDescription['confirmBudget']>

const key = (kind: 'individual' | 'legacy') =>
  z.strictObject({
    // It becomes part of a shell command.
    keyId: z
      .string()
      .regex(/^[A-Za-z0-9._-]+$/, 'must be letters, digits, dot, dash and underscore')
      .describe('Identifies the key where it must not be shown.'),
    partnerId: z.string().min(1).describe('The partner that the key belongs to.'),
    kind: z.literal(kind),
    secret: z.string().min(1).describe('What follows `Bearer ` in the header.'),
  })

/** The keys that a target knows, by their role. */
export const keysSchema = z.strictObject({
  schema: z.literal(KEYS_SCHEMA),
  keys: z
    .strictObject({
      one: key('individual').describe('A key of a partner.'),
      two: key('individual').describe('A key of another partner.'),
      legacy: key('legacy').optional().describe('The shared key, whose builds have no attribution.'),
      retiring: key('individual').optional().describe('A key of a third partner, which is revoked.'),
      successor: key('individual').optional().describe('Another key of the third partner.'),
    })
    .describe('The keys, by their role in the cases.'),
})
export type TargetKeys = z.output<typeof keysSchema>['keys']

/** Returns the text after `Bearer ` in the header, by the name of the key. */
export function secretsByName(keys: TargetKeys): Readonly<Record<string, string>> {
  const all: [string, TargetKeys[keyof TargetKeys]][] = Object.entries(keys)
  return Object.fromEntries(all.flatMap(([name, key]) => (key === undefined ? [] : [[name, key.secret]])))
}

/** Declaration of a target without a file: attribution and Permit2, which the specification shows in full. */
export const DEFAULT_DESCRIPTION: TargetDescription = {
  schema: CAPABILITIES_SCHEMA,
  capabilities: ['attribution', 'permit2'],
}
