import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import type { Verdicts } from '../reporting/verdicts.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { plumbline } from './testing/plumbline.ts'

const PYTHON = fileURLToPath(new URL('../../docs/python/', import.meta.url))
/** Cases of every endpoint that depend on the reading of the specification; docs/implementers.md runs all cases. */
const CASES = [
  'quote.refuses.amount.zero',
  'quote.route.six-venues.with-fee',
  'quote.gas-cost.in-the-output',
  'build.approval.venue_b',
  'build.refuses.toDecimals.text',
  'build.executes.venue_d.fee-50',
  'confirm.build-not-found.sibling-key',
  'confirm.depth',
  'partner-report.figures',
]
/** Cases that observe the service where the specification is silent. */
const OPEN_CASES = [
  'quote.open.*',
  'confirm.open.*',
  'service.json-bodies',
  'auth.missing-key',
  'confirm.window.at',
]
const NEEDED = 'import sys, sqlite3; sys.exit(sys.version_info < (3, 9))'
const MISSING = spawnSync('python3', ['-c', NEEDED]).status === 0 ? null : 'python3 (3.9 or later) is missing'

if (MISSING !== null)
  process.stderr.write(`\nNOT TESTED: ${MISSING}; the service in docs/python is not run\n`)

/** Sends each request to the server of that folder on its own connection, and prints the responses. */
const ASK = `
import json, socket, sys, threading
sys.path.insert(0, sys.argv[1])
from swap_service.server import Handler, Server
server = Server(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
replies = []
for request in sys.argv[2:]:
    with socket.create_connection(server.server_address) as connection:
        connection.sendall((request + "\\r\\nConnection: close\\r\\n\\r\\n").encode("latin-1"))
        replies.append(b"".join(iter(lambda: connection.recv(65536), b"")).decode())
print(json.dumps(replies))
`

const folder = temporaryFolder()

test.skipIf(MISSING !== null)(
  'the service in Python conforms, although it decides most silent points differently from the reference',
  async () => {
    const { code, text } = await plumbline(
      ...['conform', '--start', `PYTHONDONTWRITEBYTECODE=1 python3 '${PYTHON}serve.py'`],
      ...['--capabilities', `${PYTHON}capabilities.json`, '--out', folder.path, '--strict'],
      ...[...CASES, ...OPEN_CASES].flatMap((id) => ['--only', id]),
    )
    expect(code, text).toBe(EXIT.conforms)
    const { openPoints } = JSON.parse(folder.read('verdicts.json')) as Verdicts
    const { python } = JSON.parse(readFileSync(new URL('../open-points.json', `file://${PYTHON}`), 'utf8'))
    expect(openPoints.length).toBeGreaterThan(30)
    for (const { point, answer } of openPoints) expect([point, answer]).toEqual([point, python[point]])
  },
)

test.skipIf(MISSING !== null)(
  'the service in Python sends no body to HEAD, and refuses an invalid length',
  () => {
    const lengths = ['²', '1e3', '-1', '9'.repeat(5_000)].map(
      (length) => `POST / HTTP/1.1\r\nContent-Length: ${length}`,
    )
    const { stdout, stderr } = spawnSync('python3', ['-B', '-c', ASK, PYTHON, 'HEAD / HTTP/1.1', ...lengths])
    expect(`${stderr}`).toBe('')
    const [head, ...refused]: readonly string[] = JSON.parse(`${stdout}`)
    expect(head).toMatch(/^HTTP\/1\.1 404 /)
    expect(head?.split('\r\n\r\n')[1]).toBe('')
    expect(refused.map((reply) => reply.split(' ', 2)[1])).toEqual(['400', '400', '400', '400'])
  },
)
