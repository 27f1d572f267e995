import { buildName, change, name, step, transactionName } from './schemaParts.ts'

const sentName = name.describe('The name of the transaction in later steps.')

/** Steps that the user's wallet carries out. */
export const userSteps = [
  step(
    'approve',
    'Sends the approval that the build requires, named `<build>-approval`, and if it requires a permit, `<build>-permit` after it.',
    { build: buildName },
  ),
  step('pay-fee', 'Sends the fee transfer of the build, named `<build>-fee`.', { build: buildName }),
  step('send', 'Sends the swap to the mempool.', {
    build: buildName,
    as: sentName,
    change: change.default('none').describe('The change of the built transaction by the sender.'),
  }),
  step('replace', 'Replaces a pending swap: the same nonce, fees a tenth higher.', {
    tx: transactionName,
    as: sentName,
    change: change
      .exclude(['sender'])
      .default('none')
      .describe('The change of the built transaction by the sender.'),
  }),
  step('cancel', 'Replaces a pending transaction with an empty transfer to its sender.', {
    tx: transactionName,
    as: sentName,
  }),
  step('resend', 'Sends the same signed bytes again.', { tx: transactionName }),
] as const
