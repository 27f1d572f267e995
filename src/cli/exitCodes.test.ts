import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { pemOf } from '../recordings/sign/testing/signers.ts'
import { exampleCase, exampleResults } from '../reporting/testing/exampleResults.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { serve, type TestServer } from '../targets/testing/misbehaving.ts'
import { plumbline } from './testing/plumbline.ts'

const folder = temporaryFolder()
let broken: TestServer
beforeAll(async () => {
  broken = await serve((_, response) => {
    response.setHeader('content-type', 'application/json').end('{"route":{}}')
  })
})
afterAll(() => broken.stop())

const RECORDING = fileURLToPath(
  new URL('../../reports/golden/reorg.moves-to-later-block.json', import.meta.url),
)
const CASE = 'confirm.unauthorized.key-missing'

const out = () => ['--out', folder.at('out'), '--quiet']
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
  conforms: () => folder.write('conforms.json', exampleResults([passed])),
  'does-not-conform': () =>
    folder.write('fails.json', exampleResults([failed], { verdict: 'does-not-conform' })),
  inconclusive: () => folder.write('unclear.json', exampleResults([unclear], { verdict: 'inconclusive' })),
  former: () => folder.write('former.json', { schema: 'plumbline-results/1' }),
}
/** Returns the directory of the only shard of a run with this case. */
function shard(name: string, testCase: typeof passed): string {
  const plan = [{ name: 'conformance', cases: [testCase.id] }]
  const rest = { replay: '', flags: [], targetKind: 'reference' as const, whole: false, baseline: null }
  const results = exampleResults([testCase], { shard: { index: 1, of: 1, plan, ...rest } })
  const about = { schema: 'plumbline-about/1', replay: '', baseUrl: null, durationMs: null, versions: [] }
  folder.write(`${name}/results.json`, results)
  folder.write(`${name}/about.json`, about)
  return folder.at(name)
}
const MINE = { op: 'mine', blocks: 1 }
/** Writes a scenario file with these steps. */
const scenario = (name: string, ...steps: readonly object[]) =>
  folder.write(name, { description: 'A scenario of a test.', requirements: ['confirm.recorded'], steps })
/** Returns a scenario that expects a response to a quote that is refused. */
const unmet = () =>
  scenario('unmet.json', { op: 'quote', key: 'one', query: { from: 'ETH' }, expect: { status: 200 } })
/** Returns a scenario with a fault that never occurs. */
const unstruck = () => scenario('unstruck.json', MINE, { op: 'line-fault', kind: 'down', trips: 1 })
/** Returns a file that is not a recording of this version. */
const foreign = () => folder.write('foreign.json', '{"schema":"plumbline-recording/0"}')

/** Returns a recording with one changed byte. */
const altered = () =>
  folder.write('altered.json', readFileSync(RECORDING, 'utf8').replace('"seed":1', '"seed":2'))
/** Returns a recording next to which signatures may be written. */
const copied = () => folder.write('copied.json', readFileSync(RECORDING, 'utf8'))
const signing = () => ['--key', folder.write('sign.key', pemOf('alice')), '--no-execute']

type Argv = readonly string[]
type Ends = Partial<Record<keyof typeof EXIT, () => Argv>>

/**
 * The shortest way to each exit code of each command. `run`, `conform` and `property` share their endings, so each code is here
 * once. Wrong usage is tested in main.test.ts and conform.test.ts, `prove` in prove.test.ts, and `verify` in recordings.test.ts.
 */
const COMMANDS: Readonly<Record<string, Ends>> = {
  run: { conforms: () => ['--only', CASE, ...out()] },
  conform: { 'does-not-conform': () => [...wrong(), ...out()] },
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
  sign: {
    conforms: () => [copied(), ...signing()],
    'does-not-conform': () => [altered(), ...signing()],
    usage: () => [foreign(), ...signing()],
  },
  replay: { conforms: () => [RECORDING, '--quiet'], usage: () => [foreign(), '--quiet'] },
  completion: { conforms: () => ['bash'], usage: () => ['tcsh'] },
}

/** Commands whose last line is their verdict. */
const JUDGING = new Set('run conform simulate prove report merge replay'.split(' '))

describe.each(Object.entries(COMMANDS))('%s', (command, ends) => {
  test.each(Object.entries(ends))('%s', async (ending, argv) => {
    const { code, lines } = await plumbline(command, ...argv())
    expect(code).toBe(EXIT[ending as keyof typeof EXIT])
    if (JUDGING.has(command) && ending !== 'usage')
      expect(lines.at(-1)?.split('\n').at(-1)).toMatch(new RegExp(`^${ending.replaceAll('-', ' ')}`))
  })
})

test('a floor that is missed because a case was skipped ends a run with 3, and its report says the same', async () => {
  const where = folder.at('skipped')
  const skip = ['--only', 'confirm.unauthorized', '--skip', 'confirm.unauthorized*']
  const { code, text } = await plumbline('run', ...skip, '--out', where)
  expect(code).toBe(EXIT.inconclusive)
  expect(text).toMatch(/inconclusive \S*confirm\.unauthorized: exercised 0 of 1 times; skipped: /)
  const again = await plumbline('report', where, '--json')
  const report = JSON.parse(again.out)
  expect([again.code, report.verdict]).toEqual([EXIT.inconclusive, 'inconclusive'])
  const requirement = report.requirements.find(({ id }: { id: string }) => id === 'confirm.unauthorized')
  expect(requirement.verdict).toBe('inconclusive')
  expect(requirement.notes[0]).toContain('skipped: ')
})
