import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { PARTNER_KEYS } from '../fixtures/partners.ts'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { type Anything, forged } from '../recordings/testing/forge.ts'
import { rejudged } from '../recordings/testing/forgeries/forgery.ts'
import { verifyRecording } from '../recordings/verify/verifyRecording.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { plumbline, verifyHere } from './testing/plumbline.ts'

const PLUMBLINE = fileURLToPath(new URL('../../bin/plumbline.mjs', import.meta.url))
const PYTHON = fileURLToPath(new URL('../../docs/python/', import.meta.url))
const HAS_PYTHON =
  spawnSync('python3', ['-c', 'import sys, sqlite3; sys.exit(sys.version_info < (3, 9))']).status === 0

/** A refusal; a report during a failure of the connection to the chain; a reorganisation; replaced contracts. */
const CASES = [
  'quote.refuses.amount.zero',
  'confirm.upstream.down',
  'confirm.block-changed',
  'confirm.match.calldata',
  'confirm.walk.6',
]
const SCENARIO = 'scenario.reorg.moves-to-later-block'

/** A service that responds with 503 where the reference responds with 202. */
const UNAVAILABLE_INSTEAD_OF_PENDING = `
import { spawn } from 'node:child_process'
import { createServer, request } from 'node:http'
const probe = createServer().listen(0, '127.0.0.1', () => {
  const { port } = probe.address()
  probe.close(() => serve(port))
})
function serve(port) {
  const inner = spawn(process.execPath, [process.argv[2], 'serve', '--port', String(port)], { stdio: ['ignore', 'pipe', 'inherit'] })
  inner.stdout.once('data', () => {
    createServer((incoming, outgoing) => {
      const { method, url: path, headers } = incoming
      incoming.pipe(
        request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
          outgoing.writeHead(response.statusCode === 202 ? 503 : response.statusCode, response.headers)
          response.pipe(outgoing)
        }),
      )
    }).listen(Number(process.env.PORT), '127.0.0.1')
  })
}
`

const { path: directory } = temporaryFolder()

/** Selects only these cases: an id alone would also select the cases of a requirement with that id. */
const only = (ids: readonly string[]) => ids.flatMap((id) => ['--only', `case:${id}`])

/** Verifies the recordings of a run in another folder, with nothing of the run left. */
async function verifiedElsewhere(recorded: string, ran: string): Promise<readonly string[]> {
  const elsewhere = mkdtempSync(join(tmpdir(), 'plumbline-elsewhere-'))
  try {
    cpSync(recorded, elsewhere, { recursive: true })
    rmSync(recorded, { recursive: true })
    rmSync(ran, { recursive: true })
    const { code, text } = await verifyHere(elsewhere)
    expect(code, text).toBe(EXIT.conforms)
    expect(text).toContain('executed in a second EVM without a difference')
    expect(text).toContain('not recorded, as it was made from outside: what its store held, its timers')
    const names = readdirSync(elsewhere)
    for (const name of names) cpSync(join(elsewhere, name), join(directory, name))
    return names
  } finally {
    rmSync(elsewhere, { recursive: true })
  }
}

describe('a service in another process', () => {
  it('is recorded case by case, by two copies, and verified without it', async () => {
    const [out, recorded] = [join(directory, 'out'), join(directory, 'recorded')]
    const command = `"${process.execPath}" "${PLUMBLINE}" serve`
    const { code, text } = await plumbline(
      ...['conform', '--start', command, '--instances', '2', '--with-scenarios'],
      ...['--out', out, '--record', recorded, ...only([...CASES, SCENARIO])],
    )
    expect(code, text).toBe(EXIT.conforms)
    const names = await verifiedElsewhere(recorded, out)
    expect(names).toEqual(expect.arrayContaining([...CASES, SCENARIO].map((id) => `${id}.json`)))
    for (const name of names) {
      const file = readFileSync(join(directory, name), 'utf8')
      for (const { secret } of Object.values(PARTNER_KEYS)) expect(file).not.toContain(secret)
    }
  })

  it('is recorded if it calls itself unavailable while the chain changes, and gets the report again', async () => {
    const service = join(directory, 'unavailable.mjs')
    writeFileSync(service, UNAVAILABLE_INSTEAD_OF_PENDING)
    const out = join(directory, 'unavailable')
    const { code, text } = await plumbline(
      ...['conform', '--start', `"${process.execPath}" "${service}" "${PLUMBLINE}"`, '--out', out],
      ...only(['confirm.block-changed.meanwhile']),
    )
    expect(code, text).toBe(EXIT['does-not-conform'])
    expect(text).toMatch(/expected 202\n +actual {3}503/)
    expect(text).not.toContain('is not recorded')
    const recording = join(out, 'recordings', 'confirm.block-changed.meanwhile.json')
    expect((await verifyHere(recording)).text).toContain('genuine, but the run violated requirements')
  })

  it('shows what happened: the requests, what was done to the chain, and what is not recorded', async () => {
    const { code, text } = await plumbline('show', join(directory, 'confirm.upstream.down.json'))
    expect(code).toBe(EXIT.conforms)
    for (const part of [
      'the line to the chain is down',
      'POST /swap/confirm → 503',
      'mine 12 blocks',
      'not recorded',
    ])
      expect(text).toContain(part)
    const scenario = await plumbline('show', join(directory, `${SCENARIO}.json`))
    expect(scenario.text).toContain('REORGANISED')
  })

  it('is judged by the amounts that the venues would have paid', async () => {
    const text = readFileSync(join(directory, 'confirm.upstream.down.json'), 'utf8')
    const { execution, failures } = await verifyRecording(text)
    expect(execution?.venueQuotes).toBeGreaterThan(0)
    expect(execution?.withReplacedCode).toEqual([])
    expect(failures).toEqual([])
    const forgery = await verifyRecording(forged(text, worse))
    expect(forgery.failures.join('\n')).toContain('alternatives.amount-out')
    const unexecuted = await verifyRecording(forged(text, worse), { execute: false })
    expect(unexecuted.failures.join('\n')).not.toContain('alternatives.amount-out')
  })

  it('states the assumptions of its verdicts, which only the file states', async () => {
    const genuine = join(directory, 'confirm.upstream.down.json')
    const { text } = await verifyHere(genuine, '--no-execute')
    expect(text).toContain(
      'judged as the file says: profile sandbox, capabilities attribution, permit2; conventions do not count',
    )
    expect(text).not.toContain('used, and not judged')
    const forgery = forged(readFileSync(genuine, 'utf8'), (recording) => {
      const { outside } = recording.entries[0]
      outside.capabilities = outside.capabilities.filter((each: string) => each !== 'attribution')
      outside.strict = true
      rejudged(recording)
    })
    const path = join(directory, 'forged-capabilities.json')
    writeFileSync(path, forgery)
    const believed = await verifyHere(path, '--no-execute')
    expect(believed.code, believed.text).toBe(EXIT.conforms)
    expect(believed.text).toContain('capabilities permit2; conventions count')
    expect(believed.text).toContain('used, and not judged: attribution')
    // The other commands say the same.
    expect((await plumbline('show', path)).text).toContain('used, and not judged: attribution')
    await plumbline('report', '--recording', path, '--out', join(directory, 'page'))
    const page = readFileSync(join(directory, 'page', 'report.html'), 'utf8').replaceAll('<wbr>', '')
    expect(page).toContain('used, and not judged: attribution')
  })

  it('cannot be replayed, and says what to do instead', async () => {
    const { code, text } = await plumbline('replay', join(directory, 'confirm.upstream.down.json'))
    expect(code).toBe(EXIT.inconclusive)
    expect(text).toContain('it was recorded from outside, and holds no service to run again')
    expect(text).toContain('`plumbline verify` proves this one')
  })

  it('is in doubt if the node gives other replies, and no replay is recommended', async () => {
    const genuine = readFileSync(join(directory, 'confirm.upstream.down.json'), 'utf8')
    const forgery = forged(genuine, (recording) => {
      const reply = recording.blobs[simulated(recording)]
      const text = JSON.stringify(reply).replace(/"returnData":"0x0/, '"returnData":"0x1')
      recording.blobs[simulated(recording)] = JSON.parse(text)
    })
    const path = join(directory, 'forged-return-data.json')
    writeFileSync(path, forgery)
    const { code, text } = await verifyHere(path)
    expect(code, text).not.toBe(EXIT.conforms)
    expect(text).not.toContain('plumbline replay')
  })
})

/** Changes the amounts of a build by the same factor, with matching verdicts: only an execution shows it. */
const worse = (recording: Anything): void => {
  const { answer } = at(recording, '/api/v1/swap/build')
  const body = JSON.parse(answer.body)
  for (const each of [body.route, ...body.route.alternatives]) {
    each.amountOut *= 0.99
    if (each.netAmountOut !== undefined) each.netAmountOut = each.amountOut - each.gasCostOut
  }
  answer.body = JSON.stringify(body)
  answer.headers['content-length'] = String(Buffer.byteLength(answer.body))
  rejudged(recording)
}

const of = (recording: Anything, kind: string): Anything[] =>
  recording.entries.filter((entry: Anything) => entry.kind === kind)
const at = (recording: Anything, path: string): Anything =>
  of(recording, 'http').find((entry) => entry.path.startsWith(path))
/** Returns the id of the reply to the first simulation without a fault. */
const simulated = (recording: Anything): string => {
  const trip = of(recording, 'rpc').find(
    ({ calls, fault }) => fault === null && calls.some(({ method }: Anything) => method === 'eth_simulateV1'),
  )
  const index = trip.calls.findIndex(({ method }: Anything) => method === 'eth_simulateV1')
  return trip.replies[index].replace('sha256:', '')
}
describe('a service that fails', () => {
  it('leaves the recording of each failure next to the report, which links to it', async () => {
    const out = join(directory, 'failing')
    const answer = `require('node:http').createServer((q, s) => { s.setHeader('content-type', 'application/json'); s.end('{}') }).listen(process.env.PORT)`
    const script = join(directory, 'empty.cjs')
    writeFileSync(script, answer)
    const { code, text } = await plumbline(
      ...['conform', '--start', `"${process.execPath}" "${script}"`, '--out', out],
      ...only(['quote.refuses.amount.zero']),
    )
    expect(code, text).not.toBe(EXIT.conforms)
    expect(text).toContain('recorded in recordings/quote.refuses.amount.zero.json: ')
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain(
      'recordings/quote.refuses.amount.zero.json',
    )
    const verified = await verifyHere(join(out, 'recordings'))
    expect(verified.code, verified.text).toBe(EXIT['does-not-conform'])
    expect(verified.text).toContain('genuine, but the run violated requirements')
  })

  it('is recorded without a chain in the profile http, which says so, and signed with the text of an auditor in it', async () => {
    const [recorded, key] = [join(directory, 'signed'), join(directory, 'source.key')]
    await plumbline('keys', 'signing', key)
    const conform = (...more: readonly string[]) =>
      plumbline(
        ...['conform', '--start', `"${process.execPath}" "${join(directory, 'empty.cjs')}"`],
        ...['--profile', 'http', '--out', join(directory, 'signing'), ...only(['quote.refuses.amount.zero'])],
        ...more,
      )
    await conform('--record', recorded, '--sign', key, '--nonce', 'of 25 November')
    const verify = (...more: readonly string[]) =>
      verifyHere(recorded, '--signer', `${key}.pub`, '--no-execute', ...more)
    const executed = await verifyHere(recorded)
    expect(executed.code, executed.text).toBe(EXIT['does-not-conform'])
    expect(executed.text).toContain('its round trips to the chain, the chain')
    const { code, text } = await verify('--nonce', 'of 25 November')
    expect(code, text).toBe(EXIT['does-not-conform'])
    expect(text).toMatch(
      /genuine, but the run violated.*demanded with \S+source\.key\.pub.*does not conform, not executed/s,
    )
    const other = await verify('--nonce', 'of 26 November')
    expect(other.text).toContain('REFUSED')
    expect(other.text).toContain('its nonce is "of 25 November", and "of 26 November" is demanded')
    await conform('--record', recorded)
    expect((await verify()).text).toContain('not signed: there is no file')
    const nowhere = await conform('--sign', key)
    expect(nowhere.code).toBe(EXIT.usage)
    expect(nowhere.text).toContain('--sign is for recordings, and none are kept')
  })
})

/** Returns the service in Python without `gas` in its calls, so that the node chooses it. */
function withoutGas(): string {
  const folder = join(directory, 'without-gas')
  cpSync(PYTHON, folder, { recursive: true })
  for (const [file, said, instead] of [
    ['chain.py', ', "gas": hex(GROUP_GAS)}', '}'],
    ['simulations.py', '{**step, "gas": hex(gas)}', 'step'],
  ] as const) {
    const path = join(folder, 'swap_service', file)
    const text = readFileSync(path, 'utf8')
    expect(text).toContain(said)
    writeFileSync(path, text.replace(said, instead))
  }
  return `${folder}/`
}

it.skipIf(!HAS_PYTHON).each([
  [
    'the service in Python',
    () => PYTHON,
    [...CASES, 'quote.open.partner-fee-recipient.without-fee', 'partner-report.endpoint'],
  ],
  ['a service that sends no gas in its calls', withoutGas, ['confirm.depth']],
])(
  '%s is recorded, and verified without it',
  async (name, folderOf, cases) => {
    const folder = folderOf()
    const [out, recorded] = ['out', 'recorded'].map((part) => join(directory, `${name} ${part}`)) as [
      string,
      string,
    ]
    const { code, text } = await plumbline(
      ...['conform', '--start', `PYTHONDONTWRITEBYTECODE=1 python3 '${folder}serve.py'`, '--out', out],
      ...['--capabilities', `${folder}capabilities.json`, '--record', recorded, ...only(cases)],
    )
    expect(code, text).toBe(EXIT.conforms)
    expect(await verifiedElsewhere(recorded, out)).toEqual(
      expect.arrayContaining(cases.map((id) => `${id}.json`)),
    )
  },
  180_000,
)

it('the reference is recorded by simulate, and --record says so', async () => {
  const { code, text } = await plumbline(
    'conform',
    'reference',
    '--record',
    directory,
    '--only',
    'confirm.depth',
  )
  expect(code).toBe(EXIT.usage)
  expect(text).toContain('plumbline simulate NAME --record DIR')
})
