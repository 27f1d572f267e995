import { expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { casesOf, type Results } from '../reporting/results.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { plumbline } from './testing/plumbline.ts'

const folder = temporaryFolder()

const CASE = 'service.json-bodies'
const node = (handler: string) =>
  `exec "${process.execPath}" -e "require('http').createServer(${handler}).listen(process.env.PORT)"`
const WAYS: readonly (readonly [way: string, start: string, reason: RegExp])[] = [
  ['ends at once', 'exit 3', /did not become ready: its process ended \(exit code 3\)/],
  ['never listens', 'sleep 1000', /did not become ready: no response at/],
  ['listens, and never responds', node('() => {}'), /no response|time of the run/],
  ['is a gateway without a service', node('(_, response) => response.writeHead(502).end()'), /502|timeout/],
]

test.each(WAYS)('a target that %s leaves a report that says why', async (way, start, reason) => {
  const out = folder.at(way)
  const { code } = await plumbline(
    ...['conform', '--no-config', '--start', start, '--profile', 'http', '--only', CASE],
    ...['--timeout', '2', '--out', out],
  )
  expect(code).toBe(EXIT.inconclusive)
  const results = JSON.parse(folder.read(way, 'results.json')) as Results
  expect(results.verdict).toBe('inconclusive')
  const [only, ...others] = casesOf(results)
  expect(others).toEqual([])
  expect(only).toMatchObject({ id: CASE, status: 'inconclusive' })
  expect(`${only?.notes} ${only?.failure?.message}`).toMatch(reason)
  for (const file of ['report.html', 'summary.md', 'junit.xml', 'comment.md'])
    expect(folder.read(way, file)).toContain(CASE)
})
