import { execFileSync } from 'node:child_process'
import { readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../host/testing/temporaryFolder.ts'
import { type Anything, forged, goldenText } from '../../recordings/testing/forge.ts'
import { rejudged } from '../../recordings/testing/forgeries/forgery.ts'
import { EXIT } from '../../runner/verdict/exitCode.ts'
import { plumbline } from '../testing/plumbline.ts'

const GOLDEN = 'reports/golden/window.still-pending-at-end.json'
const TEXT = goldenText('window.still-pending-at-end')
const ZERO_HASH = `0x${'0'.repeat(64)}`
const ADDRESS = `0x${'11'.repeat(20)}`
/** No timeout of the test, which a busy machine could exceed: the verifier has its own limits. */
const NO_LIMIT = 0
const folder = temporaryFolder()

/** A function that writes a hostile file, and the expected message. */
type Hostile = readonly [what: string, make: (path: string) => void, said: RegExp]

/** Returns a recording that was changed and sealed again. */
const sealed = (what: string, said: RegExp, change: (recording: Anything) => void): Hostile => [
  what,
  (path) => writeFileSync(path, forged(TEXT, change)),
  said,
]
const written = (what: string, said: RegExp, text: () => string | Buffer): Hostile => [
  what,
  (path) => writeFileSync(path, text()),
  said,
]

/** Inserts entries after the script, at the start of the run. */
const begin = (recording: Anything, ...entries: Anything[]): void => {
  const at = recording.entries.findIndex(({ kind }: Anything) => kind === 'script')
  recording.entries.splice(at + 1, 0, ...entries)
}
const head = (recording: Anything) => {
  const { number, hash, timestampS } = recording.entries.find(({ kind }: Anything) => kind === 'genesis').base
  return { number, hash, timestampS }
}
const command = (recording: Anything, method: string, ...params: unknown[]) => ({
  ...{ kind: 'control', atMs: 0, method, params, error: null, head: head(recording) },
})
/** Returns many round trips, each with many calls that return nothing. */
const trips = (count: number, calls: number, method: string, params: unknown[]) =>
  Array.from({ length: count }, () => ({
    ...{ kind: 'rpc', http: null, atMs: 0, fault: null, error: null },
    calls: Array.from({ length: calls }, () => ({ method, params })),
    replies: Array.from({ length: calls }, () => ({ result: '0x' })),
  }))
/** Returns the parameters of a call whose code uses all its gas. */
const endless = (code: string) => [{ data: `0x${code}`, gas: '0x1c9c380' }, 'latest']
const JUMPS = '5b600056'
/** Returns code that calls a precompile with 384 zero bytes in a loop. */
const precompile = (number: string) => `5b600060006101806000600060${number}5af150600056`

const LIGHT: readonly Hostile[] = [
  written('nothing', /no recording of this version: the file/, () => ''),
  written('zeros', /is not JSON/, () => Buffer.alloc(100_000)),
  written('no UTF-8', /UTF-8/, () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22])),
  written('a million brackets', /nested deeper than 200 levels/, () => '['.repeat(1_000_000)),
  written('a number of a million digits', /schema/, () => `{"schema":${'9'.repeat(1_000_000)}}`),
  written(
    'a name of every object',
    /schema is missing/,
    () => '{"__proto__":{"schema":"plumbline-recording/3"}}',
  ),
  written('an end that is missing', /cut off within its entries/, () => TEXT.slice(0, TEXT.length / 3)),
  written('a member twice', /is not written as a recording is/, () => TEXT.replace('"n":0', '"n":0,"n":0')),
  written('what a terminal acts upon', /is not JSON/, () => '{"schema":"\u001b]0;owned\u0007\u001b[2J"}'),
  [
    'more than may be read',
    (path) => execFileSync('truncate', ['-s', '5G', path]),
    /at most 67,108,864 are read/,
  ],
  ['a pipe', (path) => execFileSync('mkfifo', [path]), /regular file/],
  ['a device without end', (path) => symlinkSync('/dev/zero', path), /regular file/],
  ['a link to itself', (path) => symlinkSync(path, path), /cannot be read/],
  ['a folder of nothing', (path) => execFileSync('mkdir', [path]), /holds no recording/],
  sealed('a rollback beyond the genesis', /in doubt/, (r) => begin(r, command(r, 'anvil_rollback', 1e15))),
  sealed('commands that never come', /during/, (r) => {
    r.entries.find(({ kind }: Anything) => kind === 'http').during = 2 ** 50
  }),
  sealed('a request within a later one', /within/, (r) => {
    r.entries.find(({ kind }: Anything) => kind === 'http').within = 2 ** 40
  }),
  sealed('a path that cannot be decoded', /judged now null/, (r) => {
    r.entries.find(({ kind }: Anything) => kind === 'http').path = `/%${'%2e%2e/'.repeat(100_000)}`
  }),
  sealed('half a basis point of slippage', /the reference comes to/, (r) => {
    const build = r.entries.find(({ kind }: Anything) => kind === 'http')
    build.body = JSON.stringify({ ...JSON.parse(build.body), slippageBps: 0.5 })
    rejudged(r)
  }),
  sealed('a command without parameters', /in doubt/, (r) =>
    begin(r, { ...command(r, 'evm_mine_detailed'), params: null }),
  ),
  sealed('a transaction that is none', /in doubt/, (r) =>
    begin(r, command(r, 'eth_sendRawTransaction', '0x02ff')),
  ),
  ...Object.entries({
    'jumps without end': JUMPS,
    'modular powers': precompile('05'),
    pairings: precompile('08'),
  }).map(([what, code]) =>
    sealed(what, /recorded 0x, executed here nothing/, (r) =>
      begin(r, ...trips(1, 1, 'eth_call', endless(code))),
    ),
  ),
  sealed('blocks that are read again and again', /new blocks: recorded 0, executed here 3000/, (r) =>
    begin(
      r,
      command(r, 'evm_mine_detailed', { blocks: 3_000 }),
      ...trips(20, 3_000, 'eth_getTransactionReceipt', [ZERO_HASH]),
    ),
  ),
  sealed('a hundred thousand calls', /it asks for more execution than is done for one file/, (r) =>
    begin(r, ...trips(20, 5_000, 'eth_call', [{}, 'latest'])),
  ),
  sealed('code of eight megabytes', /the reference comes to/, (r) =>
    begin(r, command(r, 'anvil_setCode', ADDRESS, `0x${'5b'.repeat(4_000_000)}`)),
  ),
]
/** Files that ask for hours of work. */
const HEAVY: readonly Hostile[] = [
  sealed('jumps without end, again and again', /takes more than/, (r) =>
    begin(r, ...trips(20, 100, 'eth_call', endless(JUMPS))),
  ),
  sealed('a billion blocks', /takes more than/, (r) =>
    begin(r, command(r, 'evm_mine_detailed', { blocks: 1e9 })),
  ),
]
/** Longer than a verifier takes to start, so that these files are what takes too long. */
const HEAVY_MAX_S = 4

test(
  'no hostile file makes verify abort, open a connection or write',
  async () => {
    let connections = 0
    const server = createServer((socket) => {
      connections += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const all = [...LIGHT, ...HEAVY]
      const paths = all.map((_, index) => folder.at(`${index}.json`))
      for (const [index, [, make]] of all.entries()) make(paths[index] as string)
      const { port } = server.address() as AddressInfo
      const leading = forged(TEXT, (r) => {
        r.entries.find(({ kind }: Anything) => kind === 'manifest').anvil.client = `http://127.0.0.1:${port}`
      })
      paths.splice(LIGHT.length, 0, folder.write('leading.json', leading))
      const before = readdirSync(folder.path)
      const light = await plumbline(
        'verify',
        ...paths.slice(0, LIGHT.length + 1),
        GOLDEN,
        // Each must end by itself, however busy the machine is.
        ...['--max-seconds', '3600'],
      )
      const heavy = await plumbline(
        'verify',
        ...paths.slice(LIGHT.length + 1),
        ...['--max-seconds', `${HEAVY_MAX_S}`, '--max-memory-mib', '400'],
      )
      const said = `${light.text}\n${heavy.text}`
      for (const [index, [what, , expected]] of all.entries()) {
        const own = said.slice(said.indexOf(folder.at(`${index}.json`))).split('.json: ')[1] ?? 'nothing'
        expect(own.split('\n', 2).join('\n'), what).toMatch(expected)
      }
      expect(light.text).toContain(`${GOLDEN}: holds`)
      expect(said).not.toContain('unexpected error')
      expect(readdirSync(folder.path)).toEqual(before)
      expect(connections).toBe(0)
      expect([light.code, heavy.code]).toEqual([EXIT['does-not-conform'], EXIT.inconclusive])
    } finally {
      server.close()
    }
  },
  NO_LIMIT,
)
