import { mkdirSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { startEvmSandbox } from '../evm/evmSandbox.ts'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { parseRecording, renderRecording } from '../recordings/format/file.ts'
import { recordScript } from '../recordings/record/recordScript.ts'
import { EvmReplay } from '../recordings/replay/evmReplay.ts'
import { type Anything, all, forged, goldenText } from '../recordings/testing/forge.ts'
import { keepUsedBlobs } from '../recordings/testing/forgeries/forgery.ts'
import { exampleCase, exampleResults } from '../reporting/testing/exampleResults.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import type { Ending } from '../runner/verdict/verdict.ts'
import { createWorld } from '../simulation/world/world.ts'
import { UsageError } from '../spec/errors.ts'
import { endAsWorst, judgeEach } from './recordings/recordings.ts'
import { plumbline, verifyHere } from './testing/plumbline.ts'
import { type VerifyFileOptions, verifyFile } from './verify/verifyFile.ts'

const GOLDEN = 'reports/golden/reorg.moves-to-later-block.json'
const TEXT = goldenText('reorg.moves-to-later-block')
const ROOT = parseRecording(TEXT).trailer.root

const folder = temporaryFolder()
const replay = new EvmReplay(async () => ({}))
afterAll(() => replay.stop())

const verified = (path: string, options: Partial<VerifyFileOptions> = {}) =>
  verifyFile(path, { execute: false, maxSizeMib: 64, ...options }, replay)
const changed = () =>
  folder.write('changed.json', TEXT.replace('"status":202,"headers":{', '"status":201,"headers":{'))
const resealed = () => {
  const text = forged(TEXT, (recording) => {
    const [confirmed] = all(recording, 'http').slice(-1) as [Anything]
    confirmed.answer.headers.forged = 'yes'
  })
  return folder.write('resealed.json', text)
}
/** Returns a recording with another reply of the chain to `eth_gasPrice`. */
const doubtful = () => {
  const text = forged(TEXT, ({ entries }) => {
    const rpc = entries.find((entry: Anything) => entry.calls?.[1]?.method === 'eth_gasPrice')
    rpc.replies[1].result = '0x77'
  })
  return folder.write('doubtful.json', text)
}

describe('verify', () => {
  test('executes each recording in a separate process, and ends with the worst ending', async () => {
    const { code, text } = await plumbline('verify', GOLDEN, changed(), doubtful())
    expect(code).toBe(EXIT['does-not-conform'])
    expect(text).toMatch(
      /holds \(5 exchanges, \d+ round trips, \d+ blocks, 4 reports, \d+ verdicts, \d+ observed\)/,
    )
    expect(text).toContain('executed in a second EVM without a difference')
    expect(text).toMatch(/run again by the reference: identical in \d+ entries\n {2}root /)
    expect(text).toContain(`\n  root ${ROOT}\n`)
    expect(text).toMatch(/changed\.json: REFUSED\n.*entry \d+, answer\.status: does not fit the seal/)
    expect(text).toMatch(/doubtful\.json: .*in doubt/)
    expect(text).toContain('1 of 3 recordings hold')
  })

  test('without executing accepts a recording that was sealed again, unless its root is demanded', async () => {
    expect(await verified(resealed())).toMatchObject({
      ending: 'conforms',
      text: expect.stringContaining('not executed'),
    })
    expect(await verified(GOLDEN, { root: ROOT })).toMatchObject({ ending: 'conforms' })
    await expect(verified(resealed(), { root: ROOT })).rejects.toThrow(`, not ${ROOT}`)
    for (const wrong of [
      [GOLDEN, '--root', 'abc'],
      [GOLDEN, resealed(), '--root', ROOT],
    ])
      expect((await plumbline('verify', ...wrong)).code).toBe(EXIT.usage)
  })

  test('distinguishes genuine recordings of a violation, and of nothing, from one that conforms', async () => {
    const [{ name, seed, steps }] = all(parseRecording(TEXT), 'script') as [Anything]
    const confirmed = all(parseRecording(TEXT), 'http').find(
      ({ answer }) => answer?.status === 202,
    ) as Anything
    const at = Number(confirmed.step)
    const hasty = [...steps.slice(0, at), { ...steps[at], expect: { status: 200 } }]
    const world = await createWorld({ seed, startSandbox: startEvmSandbox })
    const text = renderRecording(await recordScript(world, { name, seed, steps: hasty }))
    await world.stop()
    const broken = await verified(folder.write('broken.json', text))
    expect(broken.ending).toBe('does-not-conform')
    expect(broken.text).toContain('genuine, but the run violated requirements')
    expect(broken.text).toContain('expected status 200, actual 202')

    const nothing = forged(TEXT, (recording) => {
      const kept = ['manifest', 'genesis', 'script', 'outcome', 'provenance']
      recording.entries = recording.entries.filter(({ kind }: Anything) => kept.includes(kind))
      ;(all(recording, 'script')[0] as Anything).steps = []
      recording.entries.splice(-1, 0, { kind: 'verdicts', http: null, verdicts: [] })
      keepUsedBlobs(recording)
    })
    expect(await verified(folder.write('nothing.json', nothing))).toMatchObject({
      ending: 'inconclusive',
      text: expect.stringContaining('nothing was judged'),
    })
  })

  test.each<[string, () => string, string | RegExp]>([
    ['half', () => folder.write('half.json', TEXT.slice(0, TEXT.length / 2)), /entries 0 to \d+ are whole/],
    ['next', () => folder.write('next.json', TEXT.replace('recording/3', 'recording/9')), 'recording/9'],
  ])('calls a file that is cut off, or of another version, wrong usage: %s', async (_what, path, why) => {
    await expect(verified(path())).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringMatching(why),
    })
  })
})

test('the kind of a file depends on its content, not on its name', async () => {
  const [one, other] = [folder.write('no-ending', TEXT), folder.write('another.txt', TEXT)]
  expect((await plumbline('diff', one, other)).code).toBe(EXIT.conforms)
  const results = JSON.stringify(exampleResults([exampleCase('one')]))
  const run = folder.write('mixed.json/results.json', results)
  const renamed = folder.write('renamed', results)
  expect((await plumbline('diff', folder.at('mixed.json'), renamed)).text).toContain(
    'every case ended as it did',
  )
  const refused = await verifyHere(run)
  expect(refused.text).toContain('it is no recording: its schema is "plumbline-results/3"')
  expect(refused.code).toBe(EXIT.usage)
  folder.write('mixed.json/recording.json', TEXT)
  const { code, text } = await verifyHere('--no-execute', folder.at('mixed.json'))
  expect(code, text).toBe(EXIT.conforms)
  expect(text).toMatch(/results\.json is left out: it is the results of a run, not a recording/)
})

describe('a command of several recordings', () => {
  test('continues after missing or unreadable files, and ends with the worst ending', async () => {
    mkdirSync(folder.at('unreadable', 'inside.json'), { recursive: true })
    mkdirSync(folder.at('empty'))
    const judged: string[] = []
    const errors: string[] = []
    const refused: string[] = []
    const paths = ['no-such-file.json', GOLDEN, folder.at('unreadable'), folder.at('empty')]
    const endings = await judgeEach(
      paths,
      { out: () => {}, err: (line) => errors.push(line) },
      async (file): Promise<Ending> => {
        judged.push(file)
        if (file.endsWith('inside.json')) throw new UsageError('no regular file', 'Give another.')
        return 'conforms'
      },
      (path) => refused.push(path),
    )
    expect(endings).toEqual(['usage', 'conforms', 'usage', 'usage'])
    expect(judged).toEqual([GOLDEN, folder.at('unreadable', 'inside.json')])
    expect(refused).toEqual(['no-such-file.json', folder.at('unreadable', 'inside.json'), folder.at('empty')])
    expect(errors[0]).toMatch(/^no-such-file\.json: REFUSED\n.*there is no file/)
    expect(errors[2]).toContain('holds no recording')
    const lines: string[] = []
    const output = { out: (line: string) => lines.push(line), err: () => {} }
    expect(endAsWorst(endings, {}, output)).toBe('usage')
    expect(lines).toEqual(['no verdict: not every recording could be read'])
    expect(endAsWorst([...endings, 'does-not-conform'], {}, output)).toBe('does-not-conform')
  })
})

describe('replay', () => {
  test('repeats a recording, and shows where a tampered one diverges and what led to it', async () => {
    const tampered = forged(TEXT, (recording) => {
      const trip = all(recording, 'rpc')[0] as Anything
      trip.replies[1] = { result: '0x77' }
    })
    const paths = ['missing.json', GOLDEN, folder.write('tampered.json', tampered), changed()]
    const { code, text } = await plumbline('replay', ...paths, '--out', folder.at('pages'))
    expect(code).toBe(EXIT['does-not-conform'])
    expect(text).toContain('missing.json: REFUSED')
    expect(text).toMatch(/moves-to-later-block\.json: identical \(\d+ entries\)/)
    expect(text).toMatch(/tampered\.json: DIVERGED at entry 4, replies\.1\.result/)
    expect(text).toContain('recorded: "0x77"')
    expect(text).toMatch(/what led to it:\n +step 0: POST \/api\/v1\/swap\/build/)
    expect(text).toMatch(/changed\.json: REFUSED\n.*does not fit the seal/)
  })

  test('refuses a recording of other contracts, and says what to do', async () => {
    const other = forged(TEXT, (recording) => {
      ;(all(recording, 'manifest')[0] as Anything).contracts.settlementBytecode = '0'.repeat(64)
    })
    const { code, text } = await plumbline('replay', folder.write('other.json', other))
    expect(code).toBe(EXIT.inconclusive)
    expect(text).toContain('another contracts.settlementBytecode')
    expect(text).toContain('Replay it with the version of Plumbline that made it')
  })
})

test('diff warns of a recording that verify refuses', async () => {
  const { code, text } = await plumbline('diff', GOLDEN, changed())
  expect(code).toBe(EXIT['does-not-conform'])
  expect(text).toMatch(
    /warning: .*changed\.json is refused, and compared as it is: entry \d+, answer\.status/,
  )
  expect(text).toMatch(/attribution step \d: status\n +before 202\n +after {2}201/)
  expect((await plumbline('diff', GOLDEN, GOLDEN)).text).toMatch(/^identical: /)
})
