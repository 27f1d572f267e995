import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startProcess } from '../../../tools/runningProcess.ts'
import { temporaryFolder } from '../../host/testing/temporaryFolder.ts'
import { plumbline } from '../testing/plumbline.ts'

const PLUMBLINE = fileURLToPath(new URL('../../../bin/plumbline.mjs', import.meta.url))

const folder = temporaryFolder()
const LOG = folder.at('access.log')

/**
 * Returns a service with the rules of `amount` only, which writes into its own folder while it runs. It responds slowly, so that its
 * writing is detected before a round ends, even on a busy machine.
 *
 * @param refusesWith the status for invalid amounts.
 */
const serviceThat = (refusesWith: number) => `
import { openSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
const log = openSync(${JSON.stringify(LOG)}, 'a')
setInterval(() => writeSync(log, 'alive\\n'), 10)
createServer((request, response) => {
  const amount = new URL(request.url, 'http://localhost').searchParams.get('amount')
  const status = Number(amount) > 0 ? 200 : ${refusesWith}
  response.writeHead(status, { 'content-type': 'application/json' })
  const body = JSON.stringify(status === 200 ? { route: {} } : { error: 'refused' })
  setTimeout(() => response.end(body), 200)
}).listen(process.env.PORT, '127.0.0.1')
console.log('serving', process.env.PORT, process.env.RPC_URL)
`

test('a service is repaired while it is watched: it fails, does not start, and conforms; then nothing is left', async () => {
  const service = folder.write('service.mjs', serviceThat(500))
  const out = folder.at('out')
  const command = `"${process.execPath}" "${service}"`
  const only = ['--profile', 'http', '--only', 'quote.refuses.amount.zero*', 'quote.refuses.amount.*negative']
  const declare = (...capabilities: string[]) =>
    folder.write('capabilities.json', { schema: 'plumbline-capabilities/1', capabilities })
  const declared = declare('attribution')
  const argv = ['conform', '--start', command, '--watch', '--out', out, '--capabilities', declared, ...only]
  const watch = startProcess(process.execPath, [PLUMBLINE, ...argv], {})
  let from = 0
  /** Returns what was printed since the last call, once the round is over. */
  const round = async () => {
    await watch.until((text) => text.includes('waiting for a change\n', from))
    const text = watch.output().slice(from)
    from = watch.output().length
    return text
  }

  const broken = await round()
  expect(broken).toMatch(/does not conform, [\d.]+ s after the start: 4 fail/)
  expect(broken).toContain('actual   500')
  expect(broken).toContain(`open ${out}/report.html\nwaiting`)
  expect(broken).not.toMatch(/given up|changed:/)
  // Only Linux shows what a process has open.
  if (process.platform === 'linux')
    expect(broken.match(/access\.log is written while cases run/g)).toHaveLength(1)

  folder.write('service.mjs', 'console.log("half a thought"); process.exit(3)')
  const down = await round()
  expect(down).toContain('changed: ')
  expect(down).toMatch(/the service is down: .*exit code 3/)
  expect(down).toContain('half a thought')

  folder.write('service.mjs', serviceThat(400))
  const right = await round()
  expect(right).toMatch(
    /of the cases that failed before, 4 of 4 pass, [\d.]+ s after the change: quote.refuses\..*\nconforms/,
  )
  expect(JSON.parse(folder.read('out', 'verdicts.json')).exitCode).toBe(0)

  declare('attributoin')
  expect(await round()).toMatch(
    /changed: .*capabilities.json\nnothing was run: .*Did you mean attribution\?/s,
  )
  declare('permit2')
  expect(await round()).toMatch(/changed: .*capabilities.json\n.*conforms/s)
  expect(JSON.parse(folder.read('out', 'verdicts.json')).capabilities).toEqual(['permit2'])

  const [, port, rpcUrl] = folder.read('out', 'target.log').match(/serving (\d+) (\S+)/) ?? []
  watch.interrupt()
  expect(await watch.ended).toBe(0)
  const text = watch.output()
  expect(text).toMatch(/the watch is over; its last whole round: conforms\n$/)
  expect(text).not.toMatch(/changed: .*access\.log/)
  for (const url of [`http://127.0.0.1:${port}`, `${rpcUrl}`])
    await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test.each<[string, string[], string]>([
  ['the reference', ['reference', '--watch'], 'for a program that Plumbline starts'],
  ['--keep-running', ['--start', 'true', '--keep-running', '--watch'], '--watch and --keep-running exclude'],
])('%s cannot be watched', async (_, argv, why) => {
  const { code, text } = await plumbline('conform', '--out', folder.path, ...argv)
  expect(code).toBe(2)
  expect(text).toContain(why)
})
