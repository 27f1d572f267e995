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
    why: 'A line of the log, or the name of an endpoint in it.',
    mutants: [
      { file: 'http/server.ts', line: 'logger: false' },
      { file: 'http/server.ts', line: "answerErrors('other', log)" },
      { file: 'http/report.ts', line: "answerErrors('report'" },
      { file: 'http/errors.ts', line: 'if (error instanceof NoExecutableRouteError)' },
    ],
  },
  {
    kind: 'same',
    why: 'Headers that no clause names.',
    mutants: [
      { file: 'http/errors.ts', line: "reply.header('www-authenticate', 'Bearer')" },
      { file: 'http/server.ts', line: ".header('x-request-id'" },
      { file: 'http/server.ts', line: ".header('date'" },
      { file: 'http/server.ts', line: ".header('cache-control', 'no-store')" },
      { file: 'http/server.ts', line: 'const stamp = ' },
      { file: 'http/server.ts', line: "app.addHook('onRequest'" },
      { file: 'http/server.ts', line: 'genReqId:' },
      { file: 'http/errors.ts', line: 'if (answer.retryAfterS !== undefined)', replacement: 'true' },
      { file: 'http/budget.ts', line: "addHeaders: { 'retry-after': false }" },
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
    why: 'The words of what is no request or no service at all: §7 fixes those of a build alone.',
    mutants: [
      { file: 'http/errors.ts', line: "error: 'quote failed'" },
      { file: 'http/errors.ts', line: "error: 'verification or storage" },
      { file: 'http/errors.ts', line: 'report: { status: 503' },
      { file: 'http/errors.ts', line: 'health: {' },
      { file: 'http/errors.ts', line: "error: 'the chain or the store cannot be used'" },
      { file: 'http/errors.ts', line: 'other: { status: 503' },
    ],
  },
  {
    kind: 'same',
    why: 'A text that is no JSON is refused, as a text or as a body of no known kind; and JSON is written alike by the framework.',
    mutants: [
      { file: 'http/server.ts', line: "removeContentTypeParser('text/plain')" },
      { file: 'http/server.ts', line: 'app.setSerializerCompiler' },
    ],
  },
  {
    kind: 'same',
    why: 'What a field that no table has does to a body is not said.',
    mutants: [{ file: 'http/server.ts', line: 'onConstructorPoisoning' }],
  },
  {
    kind: 'same',
    why: 'How strictly the header is read beyond `Bearer` and the key (§5); what is accepted must still be a key.',
    mutants: [{ file: 'partners/secret.ts', line: 'const BEARER = ' }],
  },
  {
    kind: 'same',
    why: 'A token of the registry under another name is, for §4.1, any other token: with its address and decimals it is priced, whether it is recognized or not. What a request is answered that contradicts the registry, or trades a token for itself or a coin for its twin, is not said.',
    mutants: [
      { file: 'tokens/resolve.ts', line: 'const byAddress = new Map' },
      { file: 'tokens/resolve.ts', line: '(address === null ? undefined : byAddress.get(address))' },
      { file: 'tokens/resolve.ts', line: 'if (known && address !== null && address !== known.address)' },
      { file: 'tokens/resolve.ts', line: 'if (known && side.decimals !== null' },
      { file: 'tokens/resolve.ts', line: 'if (tokenIn.address === tokenOut.address)' },
      { file: 'tokens/resolve.ts', line: 'const sides = new Set' },
      { file: 'tokens/resolve.ts', line: 'wrapOnly: sides.has(NATIVE)' },
      { file: 'quote/price.ts', line: 'if (pair.wrapOnly)' },
    ],
  },
  {
    kind: 'missed',
    why: 'A budget of the framework’s own that binds every route, beyond a thousand requests in a minute. The suites send fewer.',
    mutants: [{ file: 'http/budget.ts', line: 'global: false' }],
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
