import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startProcess } from '../../tools/runningProcess.ts'
import { PARTNER_KEYS } from '../fixtures/partners.ts'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { toTerminal } from '../reporting/document/terminal.ts'
import { caseSection, FAILURES_IN_TERMINAL } from '../reporting/documents/causes.ts'
import { exportLines } from '../reporting/report/curl.ts'
import { casesOf } from '../reporting/results.ts'
import { runSuites, serviceAfter } from '../runner/run/run.ts'
import type { KeptRun } from '../runner/run/runRequest.ts'
import { defectOf } from './suites/brokenServices.ts'
import { conformanceSuite } from './suites/conformanceSuite.ts'

const PLUMBLINE = fileURLToPath(new URL('../../bin/plumbline.mjs', import.meta.url))
const KEYS = Object.values(PARTNER_KEYS).map(({ secret }) => secret)

const folder = temporaryFolder()

/** Runs pasted shell lines. Returns the status and body of the last response. */
async function paste(...lines: string[]): Promise<{ readonly status: number; readonly body: string }> {
  const { stdout } = await promisify(execFile)('bash', ['-c', lines.join('\n')])
  const [head = '', body = ''] = stdout.split('\r\n\r\n')
  return { status: Number(head.match(/^HTTP\/1\.1 (\d+)/)?.[1]), body }
}

/** Responds with 200 to the first key, and with 402 to any other. */
const SERVICE = `
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
const { keys } = JSON.parse(readFileSync(process.env.PLUMBLINE_KEYS, 'utf8'))
createServer((request, response) => {
  const known = request.headers.authorization === 'Bearer ' + keys.one.secret
  response.writeHead(known ? 200 : 402, { 'content-type': 'application/json' }).end('{"route":null}')
}).listen(process.env.PORT, '127.0.0.1')
`

test('a started service stays up until Ctrl-C, and the printed curl line gets the recorded response', async () => {
  const service = folder.at('service.mjs')
  writeFileSync(service, SERVICE)
  const out = folder.at('out')
  const command = `"${process.execPath}" "${service}"`
  const only = ['--profile', 'http', '--only', 'quote.route.market']
  const argv = ['conform', '--start', command, ...only, '--keep-running', '--out', out]
  const run = startProcess(process.execPath, [PLUMBLINE, ...argv], {})
  await run.until((text) => text.includes('variables.sh\n'))
  const printed = run.output()
  const [curl = ''] = printed.match(/^ {2}curl .*$/m) ?? []
  const [variables = ''] = printed.match(/^ {2}\. .*$/m) ?? []
  const path = variables.trim().slice(2)
  const [, recorded = ''] = printed.match(/response (\d+)/) ?? []

  const { status, body } = await paste(variables, curl)
  expect([status, body], printed).toEqual([Number(recorded), '{"route":null}'])
  expect(printed).toContain('the chain is as quote.route.market left it')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const files = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
  expect(files.length).toBeGreaterThan(2)
  for (const key of KEYS) expect([printed, ...files].join('\n')).not.toContain(key)
  expect(readFileSync(path, 'utf8')).toContain(PARTNER_KEYS.two.secret)

  run.interrupt()
  await run.ended
  expect(existsSync(path)).toBe(false)
  await expect(paste(curl)).rejects.toThrow('Failed to connect')
  // The report outlives the service, so it has no curl lines.
  expect(files.join('\n')).not.toContain('curl -sS -i --globoff --path-as-is -X GET http')
})

test('a report of the only case gets the recorded refusal again, from the chain as the case left it', async () => {
  const held: KeptRun[] = []
  try {
    const target = 'reference'
    const outcome = await runSuites({
      ...{ command: 'conform', suites: [conformanceSuite], target, options: {}, seed: 1 },
      only: ['confirm.tx-hash.upper-case'],
      replay: ({ id }) => `npx plumbline conform reference --only ${id}`,
      seams: defectOf('confirm.hash-in-lower-case-only')?.seams ?? {},
      keep: (kept) => held.push(kept),
    })
    const [kept = null] = held
    const row = casesOf(outcome.result).find(({ status }) => status === 'fail')
    if (row === undefined || kept === null) throw new RangeError('nothing failed, or nothing was kept')
    const lines = toTerminal([caseSection(row, serviceAfter(target, outcome, kept), FAILURES_IN_TERMINAL)])
    const curls = lines.filter((line) => line.includes('curl -sS'))
    expect(curls).toHaveLength(1)
    const { status, body } = await paste(...exportLines(kept.url, kept.rpcUrl, kept.keys), curls[0] ?? '')
    const last = row.failure?.exchanges.at(-1)?.response
    expect([status, body]).toEqual([last?.status, last?.body])
  } finally {
    await held[0]?.end()
  }
})
