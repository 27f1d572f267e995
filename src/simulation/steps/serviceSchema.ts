import { z } from 'zod'
import {
  buildName,
  count,
  expectation,
  keyName,
  name,
  request,
  requirementId,
  step,
  transactionName,
} from './schemaParts.ts'

const report = { key: keyName, build: buildName, tx: transactionName }

/** Steps that send requests to the service. */
export const serviceSteps = [
  step('quote', 'Requests a quote.', { key: keyName, query: request, expect: expectation.optional() }),
  step('build', 'Requests a build for the account `sender`.', {
    as: name.describe('The name of the build in later steps.'),
    key: keyName,
    sender: name.describe('The account that will send the transaction, such as alice or bob.'),
    body: request,
    expect: expectation.optional(),
  }),
  step('confirm', 'Reports a transaction for a build.', {
    ...report,
    exercises: z.array(requirementId).optional().describe('Further requirements that this report exercises.'),
    expect: expectation.optional(),
  }),
  step('race', 'Sends several reports concurrently.', {
    reports: z.array(z.strictObject(report)).min(2).describe('The reports to send.'),
    expectStatuses: z
      .array(z.int())
      .optional()
      .describe('The statuses that the reference returns, in any order.'),
    order: z
      .array(z.int().min(0).max(99))
      .optional()
      .describe(
        "The order in which the service's waiting calls to chain and store run: each number picks the index of the next among those that wait, modulo their count. After the end of the list, the call that has waited longest is next. Without a list they run as they come. Needs in-process access.",
      ),
  }),
  step('spend-budget', "Reports a build that does not exist until the partner's request budget is spent.", {
    key: keyName,
    atMost: count.describe('The maximum number of reports to send.'),
  }),
  step('report', 'Requests the partner report of a key.', { key: keyName, expect: expectation.optional() }),
] as const
