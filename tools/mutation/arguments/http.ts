import type { Argument } from './argument.ts'

const BAD_REQUEST = 'http/badRequest.ts'

export const http: readonly Argument[] = [
  {
    kind: 'same',
    why: 'The words of a 400: §7 asks for a message, not for which.',
    mutants: [
      { file: BAD_REQUEST, line: 'const BODY_PROBLEMS' },
      { file: BAD_REQUEST, line: 'if (hasZodFastifySchemaValidationErrors(error))' },
      { file: BAD_REQUEST, line: 'FST_ERR_CTP_' },
      { file: BAD_REQUEST, line: "const field = instancePath.slice(1) || 'body'" },
      { file: BAD_REQUEST, line: 'if (!problems.has(field))' },
      { file: BAD_REQUEST, line: ".join('; ')", original: "'; '" },
      { file: BAD_REQUEST, line: 'if (problem !== undefined)' },
      { file: 'tokens/resolve.ts', line: 'const unknown = ' },
      { file: 'tokens/resolve.ts', line: "name: 'from'," },
      { file: 'tokens/resolve.ts', line: "name: 'to'," },
    ],
  },
  {
    kind: 'same',
    why: 'Every error of the framework that a body can cause is in the table above it, and no other error has its marks.',
    mutants: [
      { file: BAD_REQUEST, line: "return typeof statusCode === 'number'" },
      { file: BAD_REQUEST, line: "if (typeof code !== 'string'", replacement: 'false' },
      { file: BAD_REQUEST, line: "if (typeof code !== 'string'", original: "'FST_ERR_'" },
    ],
  },
  {
    kind: 'same',
    why: 'A line of the log.',
    mutants: [{ file: 'http/errors.ts', line: 'if (error instanceof NoExecutableRouteError)' }],
  },
  {
    kind: 'same',
    why: 'Headers that no clause names.',
    mutants: [
      { file: 'http/errors.ts', line: "reply.header('www-authenticate', 'Bearer')" },
      { file: 'http/server.ts', line: ".header('x-request-id'" },
      { file: 'http/server.ts', line: ".header('date'" },
    ],
  },
  {
    kind: 'same',
    why: 'A route that reads its caller has its authentication hook; only a bug would be told otherwise.',
    mutants: [{ file: 'http/authentication.ts', line: 'if (caller === null)' }],
  },
  {
    kind: 'same',
    why: 'Whatever is thrown is an error; and what no error of the chain or the store is, is a bug, which no clause gives a status.',
    mutants: [
      { file: BAD_REQUEST, line: 'if (!(error instanceof Error)) return null', replacement: 'false' },
      { file: 'http/errors.ts', line: 'if (error instanceof ChainUnavailableError ||', replacement: 'true' },
    ],
  },
  {
    kind: 'same',
    why: 'How long a client whose budget is spent is asked to wait; no clause says.',
    mutants: [{ file: 'http/budget.ts', line: 'new BudgetExceededError(Math.max' }],
  },
  {
    kind: 'same',
    why: 'Schemas that only the API document reads.',
    mutants: [
      { file: 'http/confirm.ts', line: 'const pendingResponseSchema' },
      { file: 'http/confirm.ts', line: 'recorded: z.literal(false)' },
      { file: 'http/confirm.ts', line: 'alreadyRecorded: z.literal(false)' },
      { file: 'http/confirm.ts', line: 'confirmations: z.int().min(0)' },
      { file: 'http/report.ts', line: 'const partnerReportSchema' },
      { file: 'http/report.ts', line: 'z.int().min(0)' },
      { file: 'http/report.ts', line: 'z.number().min(0)' },
      { file: 'http/report.ts', line: 'schema: {' },
    ],
  },
]
