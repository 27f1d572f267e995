import { z } from 'zod'
import {
  buildName,
  count,
  expectation,
  keyName,
  name,
  request,
  requirementId,
  transactionName,
} from './parts.ts'

const report = { key: keyName, build: buildName, tx: transactionName }

/** The steps that send requests to the service. */
export const serviceSteps = [
  z
    .strictObject({ op: z.literal('quote'), key: keyName, query: request, expect: expectation.optional() })
    .describe('Requests a quote.'),
  z
    .strictObject({
      op: z.literal('build'),
      as: name.describe('The name of the build in later steps.'),
      key: keyName,
      sender: name.describe('The account that will send the transaction, such as alice or bob.'),
      body: request,
      expect: expectation.optional(),
    })
    .describe('Requests a build for the account `sender`.'),
  z
    .strictObject({
      op: z.literal('confirm'),
      ...report,
      exercises: z
        .array(requirementId)
        .optional()
        .describe('Further requirements that this very report exercises.'),
      expect: expectation.optional(),
    })
    .describe('Reports a transaction for a build.'),
  z
    .strictObject({
      op: z.literal('race'),
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
    })
    .describe('Sends several reports at once.'),
  z
    .strictObject({
      op: z.literal('spend-budget'),
      key: keyName,
      atMost: count.describe('How many reports to send at most.'),
    })
    .describe("Reports a build that does not exist until the partner's request budget is spent."),
  z
    .strictObject({ op: z.literal('report'), key: keyName, expect: expectation.optional() })
    .describe('Requests the partner report of a key.'),
] as const
