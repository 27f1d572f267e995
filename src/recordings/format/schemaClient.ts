import { z } from 'zod'
import { goalSchema } from '../../spec/goal.ts'
import { bytes, entry, evmAddress, position, text } from './schemaParts.ts'

const response = z.strictObject({
  status: z.int().describe('The HTTP status.'),
  headers: z.record(z.string(), text).describe('The headers of the response.'),
  body: text.describe('The body of the response.'),
})

const request = z.strictObject({
  http: position.nullable().describe('The request as the service got it; null: the case kept it back.'),
  asked: z
    .strictObject({
      method: text.describe('The HTTP method.'),
      path: text.describe('The path with its query.'),
      body: text.nullable().describe('The body; null: none.'),
    })
    .nullable()
    .describe('The request, where the case kept it back; otherwise null.'),
  authorization: z
    .enum(['the key', 'another text', 'none'])
    .describe('What it carried in the header for its key.'),
  atMs: z.int().describe('When it was sent, in milliseconds.'),
  got: z
    .strictObject({
      atMs: z.int().describe('When the client got it, in milliseconds.'),
      instead: response
        .nullable()
        .describe('What the case put in the place of the answer of the service; null: it is that answer.'),
    })
    .nullable()
    .describe('What the client got; null: nothing, as the case cut the connection or the client had ended.'),
})

/** The behaviour of a client in its case. Requests that its service or node received have separate entries. */
export const clientEntry = entry('client', {
  goal: goalSchema.describe('What it was to do.'),
  intent: z
    .strictObject({
      mustBe: z
        .enum(['done', 'not-swapped', 'not-done', 'honest', 'anything'])
        .describe('What must become of the goal.'),
      refuses: z
        .enum(['quote', 'build', 'node'])
        .optional()
        .describe('What it must get before there is anything to refuse.'),
      clauses: z.array(text).optional().describe('Requirements that pass or fail with the outcome.'),
      boundaryClasses: z.array(text).optional().describe('The boundary classes that the case exercises.'),
    })
    .describe('What the case asks of it.'),
  account: evmAddress.describe('The account that swaps.'),
  nodeChainId: z.int().describe('The chain of which its node said that it is.'),
  requests: z.array(request).describe('Its requests, in the order in which they were sent.'),
  transactions: z
    .array(
      z.strictObject({
        raw: bytes.describe('The signed bytes.'),
        from: evmAddress.describe('Who signed them.'),
        atMs: z.int().describe('When they first came, in milliseconds.'),
        byCase: z.boolean().describe('The case sent them, as a wallet that replaces a transaction does.'),
      }),
    )
    .describe('Its transactions, in the order in which they first came.'),
  ending: z.enum(['done', 'refused', 'failed', 'not ended']).describe('How it ended.'),
  exitCode: z.int().nullable().describe('The exit code of its last start; null: it was killed.'),
  reason: text.nullable().describe('Why it decided not to swap, as it says; null: it says nothing of it.'),
  starts: position.describe('How often it was started.'),
  leaks: z.array(text).describe('Where a key was found that should not be there.'),
})
