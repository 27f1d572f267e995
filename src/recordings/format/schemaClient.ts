import { z } from 'zod'
import { goalSchema } from '../../spec/goal.ts'
import { bytes, entry, evmAddress, position, text } from './schemaParts.ts'

const response = z.strictObject({
  status: z.int().describe('The HTTP status.'),
  headers: z.record(z.string(), text).describe('The headers of the response.'),
  body: text.describe('The body of the response.'),
})

const request = z.strictObject({
  http: position.nullable().describe('The number of the request to the service; null: the case withheld it.'),
  asked: z
    .strictObject({
      method: text.describe('The HTTP method.'),
      path: text.describe('The path with its query.'),
      body: text.nullable().describe('The body; null: none.'),
    })
    .nullable()
    .describe('The request, if the case withheld it; otherwise null.'),
  authorization: z
    .enum(['the key', 'another text', 'none'])
    .describe('The content of its header for the key.'),
  atMs: z.int().describe('When it was sent, in milliseconds.'),
  got: z
    .strictObject({
      atMs: z.int().describe('When the client got it, in milliseconds.'),
      instead: response
        .nullable()
        .describe(
          "The response that the case sent in place of the service's answer; null: the service's answer.",
        ),
    })
    .nullable()
    .describe(
      'The response that the client received; null: none, as the case cut the connection or the client had ended.',
    ),
})

/** The behaviour of a client in its case. Requests that its service or node received have separate entries. */
export const clientEntry = entry('client', {
  goal: goalSchema.describe('The goal that it was given.'),
  intent: z
    .strictObject({
      mustBe: z
        .enum(['done', 'not-swapped', 'not-done', 'honest', 'anything'])
        .describe('The required outcome of the goal.'),
      refuses: z
        .enum(['quote', 'build', 'node'])
        .optional()
        .describe('The response that it must receive before it can refuse.'),
      clauses: z.array(text).optional().describe('Requirements that pass or fail with the outcome.'),
      boundaryClasses: z.array(text).optional().describe('The boundary classes that the case exercises.'),
    })
    .describe('The intent of the case.'),
  account: evmAddress.describe('The account that swaps.'),
  nodeChainId: z.int().describe('The chain id that its node reported.'),
  requests: z.array(request).describe('Its requests, in the order in which they were sent.'),
  transactions: z
    .array(
      z.strictObject({
        raw: bytes.describe('The signed bytes.'),
        from: evmAddress.describe('Their signer.'),
        atMs: z.int().describe('When they first arrived, in milliseconds.'),
        byCase: z
          .boolean()
          .describe('True if the case sent them, like a wallet that replaces a transaction.'),
      }),
    )
    .describe('Its transactions, in the order in which they first arrived.'),
  ending: z.enum(['done', 'refused', 'failed', 'not ended']).describe('Its end.'),
  exitCode: z.int().nullable().describe('The exit code of its last start; null: it was killed.'),
  reason: text.nullable().describe('The reason that it gave for not swapping; null: none.'),
  starts: position.describe('Number of times that it was started.'),
  leaks: z.array(text).describe('Places that exposed a key.'),
})
