import { z } from 'zod'
import { buildName, change, name, transactionName } from './parts.ts'

const sentName = name.describe('The name of the transaction in later steps.')

/** The steps that the wallet of the user carries out. */
export const userSteps = [
  z
    .strictObject({ op: z.literal('approve'), build: buildName })
    .describe(
      'Sends the approval that the build asks for, named `<build>-approval`, and where it asks for a permit, `<build>-permit` after it.',
    ),
  z
    .strictObject({ op: z.literal('pay-fee'), build: buildName })
    .describe('Sends the fee transfer of the build, named `<build>-fee`.'),
  z
    .strictObject({ op: z.literal('send'), build: buildName, as: sentName, change: change.default('none') })
    .describe('Sends the swap to the mempool.'),
  z
    .strictObject({
      op: z.literal('replace'),
      tx: transactionName,
      as: sentName,
      change: change.exclude(['sender']).default('none'),
    })
    .describe('Replaces a pending swap: the same nonce, fees a tenth higher.'),
  z
    .strictObject({ op: z.literal('cancel'), tx: transactionName, as: sentName })
    .describe('Replaces a pending transaction with an empty transfer to its sender.'),
  z
    .strictObject({ op: z.literal('resend'), tx: transactionName })
    .describe('Sends the same signed bytes again.'),
] as const
