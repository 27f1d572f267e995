import type { Argument } from './argument.ts'

const SERVER = 'http/server.ts'

/** What no clause speaks of. */
export const silence: readonly Argument[] = [
  {
    kind: 'same',
    why: 'Whether the service can serve is told at `/healthz`, for whoever operates it; §4 knows no such address.',
    mutants: [
      { file: 'health.ts', line: 'async check()' },
      { file: 'health.ts', line: 'const [replies] = await Promise.all([' },
      { file: 'health.ts', line: "chain.send([{ method: 'eth_chainId'" },
      { file: 'health.ts', line: 'if (!reply?.ok)' },
      { file: 'health.ts', line: 'if (Number(reply.result)' },
      { file: 'http/health.ts', line: '' },
    ],
  },
  {
    kind: 'same',
    why: 'Addresses and methods that §4 does not name, and addresses that cannot be decoded: what they are answered is nobody’s promise.',
    mutants: [
      { file: SERVER, line: '.code(error.statusCode ?? 400)' },
      { file: SERVER, line: "error: 'the address of the request is malformed'" },
      { file: SERVER, line: 'frameworkErrors:' },
      { file: SERVER, line: 'app.setNotFoundHandler' },
      { file: SERVER, line: "const path = request.url.split('?', 1)" },
      { file: SERVER, line: 'const allowed = METHODS.filter' },
      { file: SERVER, line: 'if (allowed.length === 0)' },
      { file: SERVER, line: ".header('allow', allowed.join" },
      { file: SERVER, line: 'is not served at' },
    ],
  },
  {
    kind: 'same',
    why: 'What is not even HTTP is answered on the bare socket. No clause speaks of it, and the world calls the service without sockets; `src/service/http` and `main.test.ts` hold it.',
    mutants: [
      { file: SERVER, line: 'function answerBrokenRequest' },
      { file: SERVER, line: "if (error.code === 'ECONNRESET'" },
      { file: SERVER, line: 'const status = BROKEN_REQUEST_STATUS' },
      { file: SERVER, line: "error: 'the request is not well-formed HTTP" },
      { file: SERVER, line: '    [', replacement: '[]' },
      { file: SERVER, line: '`HTTP/1.1' },
      { file: SERVER, line: "'Content-Type: application/json; charset=utf-8'" },
      { file: SERVER, line: '`Content-Length:' },
      { file: SERVER, line: "'Cache-Control: no-store'," },
      { file: SERVER, line: "'Connection: close'," },
      { file: SERVER, line: "      ''," },
      { file: SERVER, line: "].join('\\r\\n')" },
      { file: SERVER, line: 'const BROKEN_REQUEST_STATUS' },
    ],
  },
  {
    kind: 'same',
    why: 'How a service ends its connections when it is stopped; no clause speaks of it.',
    mutants: [
      { file: SERVER, line: 'let closing = false' },
      { file: SERVER, line: 'if (closing) reply.header' },
      { file: SERVER, line: "app.addHook('preClose'" },
      { file: SERVER, line: "app.addHook('onSend'" },
      { file: SERVER, line: 'closing = true' },
    ],
  },
  {
    kind: 'same',
    why: 'How keys are issued, revoked and listed is not shown (§5).',
    mutants: [
      { file: 'partners/partners.ts', line: 'const PARTNER_ID' },
      { file: 'partners/partners.ts', line: 'async issueKey(' },
      { file: 'partners/partners.ts', line: 'if (!PARTNER_ID.test' },
      { file: 'partners/partners.ts', line: 'const record: KeyRecord = {' },
      { file: 'partners/partners.ts', line: 'return { key, record }' },
      { file: 'partners/partners.ts', line: 'revokeKey: (keyId)' },
      { file: 'partners/partners.ts', line: 'listKeys: ()' },
      { file: 'partners/secret.ts', line: 'const KEY_PREFIX' },
      { file: 'partners/secret.ts', line: 'const keyText' },
      { file: 'store/sqlStore.ts', line: 'listKeys(): Promise' },
      { file: 'store/sqlStore.ts', line: ".orderBy('created_at_ms')" },
      { file: 'store/sqlStore.ts', line: ".orderBy('key_id')" },
    ],
  },
  {
    kind: 'same',
    why: 'The page that shows the API document to people.',
    mutants: [{ file: 'app.ts', line: 'await installDocs' }],
  },
  {
    kind: 'same',
    why: 'The answer to a bug of the service; there is none to meet it.',
    mutants: [{ file: 'http/errors.ts', line: "return { status: 500, error: 'internal error' }" }],
  },
]
