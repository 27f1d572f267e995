import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pemOf } from '../recordings/sign/testing/signers.ts'
import { exampleCase, exampleResults } from '../reporting/testing/exampleResults.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { serve, type TestServer } from '../targets/testing/misbehaving.ts'
import { main } from './main.ts'

let directory: string
let broken: TestServer
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-exit-'))
  broken = await serve((_, response) => {
    response.setHeader('content-type', 'application/json').end('{"route":{}}')
  })
})
afterAll(async () => {
  await broken.stop()
  rmSync(directory, { recursive: true, force: true })
})

const SILENT = { out: () => {}, err: () => {} }
const RECORDING = fileURLToPath(
  new URL('../../reports/golden/reorg.moves-to-later-block.json', import.meta.url),
)
const CASE = 'confirm.unauthorized.key-missing'

const file = (name: string, content: unknown): string => {
  const path = join(directory, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}
const out = () => ['--out', join(directory, 'out'), '--quiet']
/** Returns a target that gives every request the same wrong response. */
const wrong = () => ['--target', broken.url, '--profile', 'http', '--only', 'quote.amount.positive']

const passed = exampleCase('one')
const failed = exampleCase('one', {
  status: 'fail',
  failure: {
    ...{ blame: 'target', requirement: 'tx.data', message: 'wrong', expected: 'a', actual: 'b' },
    ...{ exchanges: [], replay: 'npx plumbline run --only one' },
  },
})
const unclear = exampleCase('one', { status: 'inconclusive' })
const results = {
  conforms: () => file('conforms.json', exampleResults([passed])),
  'does-not-conform': () => file('fails.json', exampleResults([failed], { verdict: 'does-not-conform' })),
  inconclusive: () => file('unclear.json', exampleResults([unclear], { verdict: 'inconclusive' })),
  former: () => file('former.json', { schema: 'plumbline-results/1' }),
}
/** Returns the directory of the only shard of a run with this case. */
function shard(name: string, testCase: typeof passed): string {
  const plan = [{ name: 'conformance', cases: [testCase.id] }]
  const rest = { replay: '', flags: [], targetKind: 'reference' as const, whole: false, baseline: null }
  mkdirSync(join(directory, name))
  file(join(name, 'results.json'), exampleResults([testCase], { shard: { index: 1, of: 1, plan, ...rest } }))
  const about = { schema: 'plumbline-about/1', replay: '', baseUrl: null, durationMs: null, versions: [] }
  file(join(name, 'about.json'), about)
  return join(directory, name)
}
const MINE = { op: 'mine', blocks: 1 }
/** Returns a scenario of one's own with these steps. */
const scenario = (name: string, ...steps: readonly object[]) =>
  file(name, { description: 'A scenario of a test.', requirements: ['confirm.recorded'], steps })
/** Its only quote is refused although it expects a response. */
const unmet = () =>
  scenario('unmet.json', { op: 'quote', key: 'one', query: { from: 'ETH' }, expect: { status: 200 } })
/** Returns a fault that it plans never occurs. */
const unstruck = () => scenario('unstruck.json', MINE, { op: 'line-fault', kind: 'down', trips: 1 })
/** Returns the recording that a simulation of this scenario leaves. */
async function recorded(path: string): Promise<string> {
  await main(['simulate', path, '--no-shrink', '--record', directory, '--quiet'], SILENT)
  return path.replace(/\.json$/, '.seed-1.json')
}
/** Returns a file that is not a recording of this version. */
const foreign = () => file('foreign.json', '{"schema":"plumbline-recording/0"}')

/** Returns a recording with one changed byte. */
const altered = () => file('altered.json', readFileSync(RECORDING, 'utf8').replace('"seed":1', '"seed":2'))
/** Returns a recording next to which signatures may be written. */
function copied(): string {
  copyFileSync(RECORDING, join(directory, 'copied.json'))
  return join(directory, 'copied.json')
}
const signing = () => ['--key', file('sign.key', pemOf('alice')), '--no-execute']

type Argv = readonly string[]
type Ends = Partial<Record<keyof typeof EXIT, () => Argv | Promise<Argv>>>

/**
 * The shortest way to each exit code of each command; `run`, `conform` and `property` end in one place, each code once. Wrong usage
 * of most commands is in main.test.ts and conform.test.ts, and what `prove` kills in prove.test.ts.
 */
const COMMANDS: Readonly<Record<string, Ends>> = {
  run: { conforms: () => ['--only', CASE, ...out()] },
  conform: {
    'does-not-conform': () => [...wrong(), ...out()],
    inconclusive: () => ['reference', '--only', CASE, '--skip', CASE, ...out()],
  },
  // A run of the properties that misses a floor takes a minute; run/metFloors.test.ts has its verdict.
  property: {
    'does-not-conform': () => [
      ...['--only', 'relation.memo-crosses-nothing', '--defect', 'memo.never-ends'],
      ...['--failures', join(directory, 'failures'), '--quiet'],
    ],
  },
  simulate: {
    conforms: () => [scenario('mined.json', MINE), '--quiet'],
    'does-not-conform': () => [unmet(), '--no-shrink', '--quiet'],
    inconclusive: () => [unstruck(), '--quiet'],
  },
  prove: { inconclusive: () => ['--only', 'confirm.unknown-hash-422', '--scenarios', ...out()] },
  list: { conforms: () => [], usage: () => ['--section', '99'] },
  explain: { conforms: () => [CASE], usage: () => ['no.such-case'] },
  report: {
    conforms: () => [results.conforms(), ...out()],
    'does-not-conform': () => [results['does-not-conform'](), ...out()],
    usage: () => [results.former(), ...out()],
    inconclusive: () => [results.inconclusive(), ...out()],
  },
  merge: {
    conforms: () => [shard('passed', passed), ...out()],
    'does-not-conform': () => [shard('failed', failed), ...out()],
    usage: () => [results.conforms(), ...out()],
    inconclusive: () => [shard('unclear', unclear), ...out()],
  },
  diff: {
    conforms: () => [results.conforms(), results.conforms()],
    'does-not-conform': () => [results.conforms(), results['does-not-conform']()],
    usage: () => [results.conforms(), results.former()],
    inconclusive: () => [results.conforms(), results.inconclusive()],
  },
  verify: {
    conforms: () => [RECORDING],
    'does-not-conform': async () => [await recorded(unmet())],
    usage: () => [foreign()],
    inconclusive: async () => [await recorded(scenario('empty.json', MINE))],
  },
  sign: {
    conforms: () => [copied(), ...signing()],
    'does-not-conform': () => [altered(), ...signing()],
    usage: () => [foreign(), ...signing()],
  },
  replay: { conforms: () => [RECORDING, '--quiet'], usage: () => [foreign(), '--quiet'] },
  completion: { conforms: () => ['bash'], usage: () => ['tcsh'] },
}

/** Commands whose last line is their verdict, whatever else they print. */
const JUDGING = new Set('run conform property simulate prove report merge verify replay'.split(' '))

describe.each(Object.entries(COMMANDS))('%s', (command, ends) => {
  test.each(Object.entries(ends))('%s', async (ending, argv) => {
    const lines: string[] = []
    const output = { out: (line: string) => lines.push(line), err: (line: string) => lines.push(line) }
    expect(await main([command, ...(await argv())], output)).toBe(EXIT[ending as keyof typeof EXIT])
    if (JUDGING.has(command) && ending !== 'usage')
      expect(lines.at(-1)?.split('\n').at(-1)).toMatch(new RegExp(`^${ending.replaceAll('-', ' ')}`))
  })
})

test('an unknown command is wrong usage, and help is not', async () => {
  expect(await main(['rum'], SILENT)).toBe(EXIT.usage)
  expect(await main(['--help'], SILENT)).toBe(EXIT.conforms)
})

test('a floor that is missed because a case was skipped ends a run with 3, and its report says the same', async () => {
  const [where, lines] = [join(directory, 'skipped'), [] as string[]]
  const keep = (line: string) => lines.push(line)
  const output = { out: keep, err: keep }
  const skip = ['--only', 'confirm.unauthorized', '--skip', 'confirm.unauthorized*']
  expect(await main(['run', ...skip, '--out', where], output)).toBe(EXIT.inconclusive)
  expect(lines.join('\n')).toMatch(/inconclusive \S*confirm\.unauthorized: exercised 0 of 1 times; skipped: /)
  lines.length = 0
  expect(await main(['report', where, '--json'], output)).toBe(EXIT.inconclusive)
  const report = JSON.parse(lines.join(''))
  expect(report.verdict).toBe('inconclusive')
  const requirement = report.requirements.find(({ id }: { id: string }) => id === 'confirm.unauthorized')
  expect(requirement.verdict).toBe('inconclusive')
  expect(requirement.notes[0]).toContain('skipped: ')
})
