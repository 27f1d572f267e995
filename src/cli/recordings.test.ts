import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startEvmSandbox } from '../evm/evmSandbox.ts'
import { parseRecording, renderRecording } from '../recordings/format/file.ts'
import { recordScript } from '../recordings/record/recordScript.ts'
import { type Anything, all, forged, goldenText } from '../recordings/testing/forge.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { createWorld } from '../simulation/world/world.ts'
import { main } from './main.ts'

const GOLDEN = 'reports/golden/reorg.moves-to-later-block.json'
const TEXT = goldenText('reorg.moves-to-later-block')
const ROOT = parseRecording(TEXT).trailer.root

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-recordings-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function fileOf(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

async function run(...argv: string[]) {
  const lines: string[] = []
  const keep = (line: string) => lines.push(line)
  const code = await main(argv, { out: keep, err: keep })
  return { code, text: lines.join('\n') }
}

describe('verify', () => {
  test('believes a recording, and says how much it looked at', async () => {
    const { code, text } = await run('verify', GOLDEN)
    expect(code).toBe(EXIT.conforms)
    expect(text).toMatch(
      /holds \(5 exchanges, \d+ round trips, \d+ blocks, 4 reports, \d+ verdicts, \d+ observed\)/,
    )
    expect(text).toContain(`\n  root ${ROOT}\n`)
  })

  test('reads regular files of UTF-8 alone', async () => {
    const signed = fileOf('bytes.json', '')
    writeFileSync(signed, Buffer.concat([Buffer.from(TEXT.slice(0, 40)), Buffer.from([0xff])]))
    expect((await run('verify', signed)).text).toContain('is not UTF-8')
    expect((await run('verify', '/dev/zero')).text).toContain('/dev/zero is no regular file')
    expect((await run('verify', '/dev/zero')).code).toBe(EXIT.usage)
  })

  test('takes a file that was sealed again for another one where it is run again, or its root demanded', async () => {
    const resealed = fileOf(
      'resealed.json',
      forged(TEXT, (recording) => {
        const [confirmed] = all(recording, 'http').slice(-1) as [Anything]
        confirmed.answer.headers.forged = 'yes'
      }),
    )
    expect((await run('verify', resealed, '--no-execute')).code).toBe(EXIT.conforms)
    const again = await run('verify', resealed)
    expect(again.code).toBe(EXIT['does-not-conform'])
    expect(again.text).toContain('when the script is run again')
    expect((await run('verify', GOLDEN, '--root', ROOT)).code).toBe(EXIT.conforms)
    const { code, text } = await run('verify', resealed, '--root', ROOT)
    expect(code).toBe(EXIT['does-not-conform'])
    expect(text).toMatch(new RegExp(`REFUSED\n.*the root is [0-9a-f]{64}, not ${ROOT}`))
    const doubtful = fileOf(
      'doubtful.json',
      forged(TEXT, ({ entries }) => {
        const rpc = entries.find((entry: Anything) => entry.calls?.[1]?.method === 'eth_gasPrice')
        rpc.replies[1].result = '0x77'
      }),
    )
    expect((await run('verify', doubtful)).code).toBe(EXIT.inconclusive)
    expect((await run('verify', doubtful, '--root', ROOT)).code).toBe(EXIT['does-not-conform'])
    for (const wrong of [
      [GOLDEN, '--root', 'abc'],
      [GOLDEN, resealed, '--root', ROOT],
    ])
      expect((await run('verify', ...wrong)).code).toBe(EXIT.usage)
    expect((await run('show', resealed)).text).not.toContain('unaltered')
  })

  test('refuses a changed one with its place, and believes its neighbour', async () => {
    const changed = fileOf(
      'changed.json',
      TEXT.replace('"status":202,"headers":{', '"status":201,"headers":{'),
    )
    const { code, text } = await run('verify', changed, GOLDEN)
    expect(code).toBe(EXIT['does-not-conform'])
    expect(text).toMatch(/changed\.json: REFUSED\n.*entry \d+, answer\.status: does not fit the seal/)
    expect(text).toContain('1 of 2 recordings hold')
  })

  test('tells a genuine recording of a broken promise from one that conforms', async () => {
    const [{ name, seed, steps }] = all(parseRecording(TEXT), 'script') as [Anything]
    const at = Number(
      (all(parseRecording(TEXT), 'http').find(({ answer }) => answer?.status === 202) as Anything).step,
    )
    const hasty = [...steps.slice(0, at), { ...steps[at], expect: { status: 200 } }]
    const world = await createWorld({ seed, startSandbox: startEvmSandbox })
    const broken = renderRecording(await recordScript(world, { name, seed, steps: hasty }))
    await world.stop()
    const { code, text } = await run('verify', fileOf('broken.json', broken))
    expect(code).toBe(EXIT['does-not-conform'])
    expect(text).toContain('genuine, but the run violated requirements')
    expect(text).toContain('expected status 200, actual 202')
  })

  test('does not take a recording of nothing for a success', async () => {
    const nothing = forged(TEXT, (recording) => {
      const kept = ['manifest', 'genesis', 'script', 'outcome', 'provenance']
      recording.entries = recording.entries.filter(({ kind }: Anything) => kept.includes(kind))
      ;(all(recording, 'script')[0] as Anything).steps = []
      recording.entries.splice(-1, 0, { kind: 'verdicts', http: null, verdicts: [] })
      recording.blobs = {}
    })
    const { code, text } = await run('verify', fileOf('nothing.json', nothing))
    expect(code).toBe(EXIT.inconclusive)
    expect(text).toContain('nothing was judged')
  })

  test.each([
    ['a file that is not there', () => 'no-such-file.json', 'there is no file no-such-file.json'],
    ['no JSON', () => fileOf('none.json', 'recording'), 'no recording of this version'],
    [
      'half a file',
      () => fileOf('half.json', TEXT.slice(0, TEXT.length / 2)),
      /cut off within its entries: entries 0 to \d+ are whole/,
    ],
    [
      'another schema',
      () => fileOf('schema.json', TEXT.replace('plumbline-recording/3', 'plumbline-recording/9')),
      'the version of Plumbline that reads its schema',
    ],
    ['a directory without one', () => mkdtempSync(join(folder, 'empty-')), 'holds no recording'],
  ])('calls %s wrong usage', async (_what, path, advice) => {
    const { code, text } = await run('verify', path())
    expect(code).toBe(EXIT.usage)
    expect(text).toMatch(advice)
  })
})

test('verify goes on after what is missing or unreadable, and ends as the worst', async () => {
  const unreadable = join(folder, 'unreadable.json')
  mkdirSync(join(unreadable, 'inside.json'), { recursive: true })
  const { code, text } = await run('verify', 'no-such-file.json', GOLDEN, unreadable, GOLDEN)
  expect(code).toBe(EXIT.usage)
  expect(text).toMatch(/no-such-file\.json: REFUSED\n.*there is no file/)
  expect(text).toMatch(/inside\.json: REFUSED\n.*is no regular file/)
  expect(text.match(/holds \(/g)).toHaveLength(2)
  expect(text).toMatch(/\n2 of 4 recordings hold\nno verdict: not every recording could be read$/)

  const changed = fileOf('worst.json', TEXT.replace('"status":202,', '"status":201,'))
  expect((await run('verify', 'no-such-file.json', changed)).code).toBe(EXIT['does-not-conform'])
  const lines = (await run('verify', 'no-such-file.json', GOLDEN, '--json')).text.split('\n')
  expect(lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))).toMatchObject([
    { path: 'no-such-file.json', holds: false, refused: 'there is no file no-such-file.json' },
    { path: GOLDEN, holds: true },
  ])
})

describe('replay', () => {
  test('repeats a recording, and shows where another one diverges and what led to it', async () => {
    const tampered = forged(TEXT, (recording) => {
      const trip = all(recording, 'rpc')[0] as Anything
      trip.replies[1] = { result: '0x77' }
    })
    const { code, text } = await run('replay', GOLDEN, fileOf('tampered.json', tampered))
    expect(code).toBe(EXIT['does-not-conform'])
    expect(text).toMatch(/moves-to-later-block\.json: identical \(\d+ entries\)/)
    expect(text).toMatch(/tampered\.json: DIVERGED at entry 4, replies\.1\.result/)
    expect(text).toContain('recorded: "0x77"')
    expect(text).toMatch(/what led to it:\n +step 0: POST \/api\/v1\/swap\/build/)
  })

  test('refuses a recording of other contracts, and says what to do', async () => {
    const other = forged(TEXT, (recording) => {
      ;(all(recording, 'manifest')[0] as Anything).contracts.settlementBytecode = '0'.repeat(64)
    })
    const { code, text } = await run('replay', fileOf('other.json', other))
    expect(code).toBe(EXIT.inconclusive)
    expect(text).toContain('another contracts.settlementBytecode')
    expect(text).toContain('Replay it with the version of Plumbline that made it')
  })

  test('goes on after a file that is missing', async () => {
    const { code, text } = await run('replay', 'missing.json', GOLDEN)
    expect(code).toBe(EXIT.usage)
    expect(text).toContain('missing.json: REFUSED')
    expect(text).toMatch(/moves-to-later-block\.json: identical/)
  })

  test('refuses a recording that was changed', async () => {
    const { code } = await run(
      'replay',
      fileOf('changed-too.json', TEXT.replace('"status":202,"headers":{', '"status":201,"headers":{')),
    )
    expect(code).toBe(EXIT['does-not-conform'])
  })
})

test('simulate records each run, as it would record it again', async () => {
  const directory = join(folder, 'runs')
  const { code } = await run('simulate', 'window.at-the-end', '--record', directory, '--quiet')
  expect(code).toBe(EXIT.conforms)
  expect(readdirSync(directory)).toEqual(['window.at-the-end.seed-1.json'])
  expect(await run('verify', directory, '--quiet')).toEqual({ code: EXIT.conforms, text: 'conforms' })
  expect(await run('replay', directory, '--quiet')).toEqual({ code: EXIT.conforms, text: 'conforms' })
})

test('diff warns of a recording that verify refuses', async () => {
  const altered = fileOf('altered.json', TEXT.replace('"status":202,"headers":{', '"status":201,"headers":{'))
  const { code, text } = await run('diff', GOLDEN, altered)
  expect(code).toBe(EXIT['does-not-conform'])
  expect(text).toMatch(
    /warning: .*altered\.json is refused, and compared as it is: entry \d+, answer\.status/,
  )
  expect(text).toMatch(/attribution step \d: status\n +before 202\n +after {2}201/)
  expect((await run('diff', GOLDEN, GOLDEN)).text).toMatch(/^identical: /)
})
