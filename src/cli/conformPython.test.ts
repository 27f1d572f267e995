import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EXIT } from '../runner/exitCode.ts'
import { main } from './main.ts'

const PYTHON = fileURLToPath(new URL('../../docs/python/', import.meta.url))
/** Cases of every endpoint in which another reading of the specification shows; docs/implementers.md runs them all. */
const CASES = [
  'quote.refuses.amount.zero',
  'quote.route.six-venues.with-fee',
  'quote.gas-cost.in-the-output',
  'build.approval.venue_b',
  'build.executes.venue_d.fee-50',
  'build.fall-through.venue_b.revert-on-swap',
  'build.sender.one-unit-short.venue_c.erc20',
  'confirm.build-not-found.sibling-key',
  'confirm.block-changed',
  'confirm.depth',
  'confirm.upstream.down',
  'partner-report.figures',
]
const NEEDED = 'import sys, sqlite3; sys.exit(sys.version_info < (3, 9))'
const MISSING = spawnSync('python3', ['-c', NEEDED]).status === 0 ? null : 'python3 (3.9 or later) is missing'

if (MISSING !== null)
  process.stderr.write(`\nNOT TESTED: ${MISSING}; the service in docs/python is not run\n`)

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-python-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

test.skipIf(MISSING !== null)(
  'the service in Python conforms, which reads the specification otherwise wherever that is open',
  async () => {
    const lines: string[] = []
    const keep = (line: string) => lines.push(line)
    const code = await main(
      [
        'conform',
        ...['--start', `PYTHONDONTWRITEBYTECODE=1 python3 '${PYTHON}serve.py'`],
        ...['--capabilities', `${PYTHON}capabilities.json`, '--out', directory, '--strict'],
        ...CASES.flatMap((id) => ['--only', id]),
      ],
      { out: keep, err: keep },
    )
    expect(code, lines.join('\n')).toBe(EXIT.conforms)
  },
)
