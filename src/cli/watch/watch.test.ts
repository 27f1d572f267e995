import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startProcess } from '../../../tools/runningProcess.ts'
import { temporaryFolder } from '../../host/testing/temporaryFolder.ts'
import { plumbline } from '../testing/plumbline.ts'

const PLUMBLINE = fileURLToPath(new URL('../../../bin/plumbline.mjs', import.meta.url))

const { path: directory } = temporaryFolder()

/** Returns a service with the rules of `amount` only. @param refusesWith the status for invalid amounts. */
const serviceThat = (refusesWith: number, takesMs = 0) => `
import { createServer } from 'node:http'
createServer((request, response) => {
  const amount = new URL(request.url, 'http://localhost').searchParams.get('amount')
  const status = Number(amount) > 0 ? 200 : ${refusesWith}
  response.writeHead(status, { 'content-type': 'application/json' })
  const body = JSON.stringify(status === 200 ? { route: {} } : { error: 'refused' })
  setTimeout(() => response.end(body), ${takesMs})
}).listen(process.env.PORT, '127.0.0.1')
console.log('serving', process.env.PORT, process.env.RPC_URL)
`

test('a service is repaired while it is watched: it fails, does not start, and conforms; then nothing is left', async () => {
  const service = join(directory, 'service.mjs')
  const out = join(directory, 'out')
  writeFileSync(service, serviceThat(500))
  const command = `"${process.execPath}" "${service}"`
  const only = ['--profile', 'http', '--only', 'quote.refuses.amount.zero*', 'quote.refuses.amount.*negative']
  const declare = (...capabilities: string[]) =>
    writeFileSync(declared, JSON.stringify({ schema: 'plumbline-capabilities/1', capabilities }))
  const declared = join(directory, 'capabilities.json')
  declare('attribution')
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

  writeFileSync(service, 'console.log("half a thought"); process.exit(3)')
  const down = await round()
  expect(down).toContain('changed: ')
  expect(down).toMatch(/the service is down: .*exit code 3/)
  expect(down).toContain('half a thought')

  writeFileSync(service, serviceThat(400))
  const right = await round()
  expect(right).toMatch(
    /of the cases that failed before, 4 of 4 pass, [\d.]+ s after the change: quote.refuses\..*\nconforms/,
  )
  expect(JSON.parse(readFileSync(join(out, 'verdicts.json'), 'utf8')).exitCode).toBe(0)

  declare('attributoin')
  expect(await round()).toMatch(
    /changed: .*capabilities.json\nnothing was run: .*Did you mean attribution\?/s,
  )
  declare('permit2')
  expect(await round()).toMatch(/changed: .*capabilities.json\n.*conforms/s)
  expect(JSON.parse(readFileSync(join(out, 'verdicts.json'), 'utf8')).capabilities).toEqual(['permit2'])

  const [, port, rpcUrl] = readFileSync(join(out, 'target.log'), 'utf8').match(/serving (\d+) (\S+)/) ?? []
  watch.interrupt()
  expect(await watch.ended).toBe(0)
  expect(watch.output()).toMatch(/the watch is over; its last whole round: conforms\n$/)
  for (const url of [`http://127.0.0.1:${port}`, `${rpcUrl}`])
    await expect(fetch(url)).rejects.toThrow('fetch failed')
})

// Only Linux shows what a process has open.
test.skipIf(process.platform !== 'linux')(
  'a service that writes into its own folder is run once, and what it writes is named once',
  async () => {
    const own = join(directory, 'own')
    mkdirSync(own)
    const service = join(own, 'service.mjs')
    writeFileSync(
      service,
      // It writes while it runs and responds slowly: its writing is detected before the round ends, even on a busy machine.
      `import { openSync, writeSync } from 'node:fs'
const log = openSync(${JSON.stringify(join(own, 'access.log'))}, 'a')
setInterval(() => writeSync(log, 'alive\\n'), 10)
${serviceThat(400, 200)}`,
    )
    const only = [
      '--profile',
      'http',
      '--only',
      'quote.refuses.amount.zero*',
      'quote.refuses.amount.*negative',
    ]
    const argv = [
      'conform',
      '--start',
      `"${process.execPath}" "${service}"`,
      '--watch',
      '--out',
      join(directory, 'of-own'),
    ]
    const watch = startProcess(process.execPath, [PLUMBLINE, ...argv, ...only], {})
    await watch.until((text) => text.includes('waiting for a change\n'))
    watch.interrupt()
    expect(await watch.ended).toBe(0)
    const text = watch.output()
    expect(text.match(/access\.log is written while cases run/g)).toHaveLength(1)
    expect(text).not.toContain('given up')
    expect(text).not.toContain('changed:')
  },
)

test.each<[string, string[], string]>([
  ['the reference', ['reference', '--watch'], 'for a program that Plumbline starts'],
  ['--keep-running', ['--start', 'true', '--keep-running', '--watch'], '--watch and --keep-running exclude'],
])('%s cannot be watched', async (_, argv, why) => {
  const { code, text } = await plumbline('conform', '--out', directory, ...argv)
  expect(code).toBe(2)
  expect(text).toContain(why)
})
