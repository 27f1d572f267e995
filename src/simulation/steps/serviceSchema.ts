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
    exercises: z
      .array(requirementId)
      .optional()
      .describe('Further requirements that this very report exercises.'),
    expect: expectation.optional(),
  }),
  step('race', 'Sends several reports at once.', {
    reports: z.array(z.strictObject(report)).min(2).describe('The reports to send.'),
    expectStatuses: z
      .array(z.int())
      .optional()
      .describe('The statuses that the reference returns, in any order.'),
    order: z
      .array(z.int().min(0).max(99))
      .optional()
      .describe(
        "Which of the service's waiting calls to chain and store runs next: the n-th number picks one of those that wait, modulo how many wait. Where the list ends, the one that has waited longest is next. Without a list they run in turn. Needs in-process access.",
      ),
  }),
  step('spend-budget', "Reports a build that does not exist until the partner's request budget is spent.", {
    key: keyName,
    atMost: count.describe('How many reports to send at most.'),
  }),
  step('report', 'Requests the partner report of a key.', { key: keyName, expect: expectation.optional() }),
] as const
