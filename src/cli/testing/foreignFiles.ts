import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EvmReplay } from '../../recordings/replay/evmReplay.ts'
import { pemOf } from '../../recordings/sign/testing/signers.ts'
import { goldenText } from '../../recordings/testing/forge.ts'
import { baselineSchema } from '../../reporting/baselineFormat.ts'
import { printable } from '../../reporting/printable.ts'
import { aboutSchema } from '../../reporting/report/about.ts'
import { resultsSchema } from '../../reporting/results.ts'
import { exampleCase, exampleResults } from '../../reporting/testing/exampleResults.ts'
import { type Ending, endingOfError } from '../../runner/verdict/verdict.ts'
import { manifestSchema } from '../../spec/manifest.ts'
import { capabilitiesSchema, keysSchema } from '../../targets/description.ts'
import { readDeclared } from '../init/declared.ts'
import { configurationSchema } from '../run/configurationSchema.ts'
import { invocation } from '../terminal/invocation.ts'
import { describeError } from '../terminal/output.ts'
import { verifyFile } from '../verify/verifyFile.ts'
import { exampleOf } from './exampleOfSchema.ts'
import { type Ended, plumbline } from './plumbline.ts'

const GOLDEN = 'reports/golden/window.still-pending-at-end.json'
const RECORDING = goldenText('window.still-pending-at-end')
const RESULTS = JSON.stringify(exampleResults([exampleCase('a')]))

/** The ending of reading a file, by a command or otherwise, with the output. */
type Reading = { readonly text: string } & (Pick<Ended, 'code'> | { readonly ending: Ending })

/** A kind of untrusted file that Plumbline reads. */
export interface ForeignFile {
  readonly name: string
  /** A valid one: a JSON value, or a text that is not JSON. */
  readonly good: unknown
  read(path: string): Promise<Reading>
  /** Returns true if a variant is not an error, such as a missing file that is optional. */
  readonly isFine?: (what: string) => boolean
}

type Argv = (path: string) => readonly string[]
const file = (name: string, good: unknown, argv: Argv, isFine = (_: string) => false): ForeignFile => ({
  ...{ name, good, isFine },
  read: (path) => plumbline(...argv(path)),
})

const nextTo = (path: string, name: string) => join(dirname(path), name)
/** Writes a file next to another one, unless it exists. */
const withFile = (path: string, name: string, content: string) => {
  if (!existsSync(nextTo(path, name))) writeFileSync(nextTo(path, name), content)
  return nextTo(path, name)
}
const withResults = (path: string) => dirname(withFile(path, 'results.json', RESULTS))
const target = [
  ...['conform', '--target', 'http://127.0.0.1:9', '--profile', 'http', '--no-config'],
  ...['--only', 'service.json-bodies', '--list'],
]
const list = (flag: string) => (path: string) => [...target, flag, path]

const { start: _, ...configuration } = exampleOf(configurationSchema) as Record<string, unknown>
const { inconclusive: __, ...entry } = (exampleOf(baselineSchema) as { entries: [Record<string, unknown>] })
  .entries[0]
const baseline = {
  schema: 'plumbline-baseline/1',
  entries: [{ ...entry, case: 'service.json-bodies' }],
}
const { shard, ...run } = exampleOf(resultsSchema) as Record<string, unknown>
const capabilities = {
  ...(exampleOf(capabilitiesSchema) as object),
  capabilities: ['key-revocation', 'confirm-budget', 'partner-report'],
}
const manifest = {
  ...(exampleOf(manifestSchema) as object),
  venues: manifestSchema.shape.venues.element.options.map(exampleOf),
}
const scenario = {
  description: 'x',
  requirements: ['confirm.recorded'],
  steps: [
    { op: 'build', as: 'swap', key: 'one', sender: 'alice', body: { from: 'ETH' }, expect: { status: 200 } },
    { op: 'mine', blocks: 13 },
  ],
}
/** A reference to a value of a table. */
const ref = (name: string) => `\${${name}}`
const table = {
  ...scenario,
  cases: [{ id: 'a', values: { n: 13, text: 'ETH' } }],
  steps: [
    { op: 'build', as: ref('text'), key: 'one', sender: 'alice', body: { from: `of ${ref('text')}` } },
    { op: 'mine', blocks: ref('n') },
  ],
}
const kept = {
  schema: 'plumbline-failure/1',
  property: 'x',
  requirement: 'tx.data',
  expected: 'x',
  actual: 'y',
  seed: 1,
  case: { a: [1] },
  versions: null,
}

/** Returns true for variants that count as a missing file. */
const isMissing = (what: string) => ['nothing', 'a link to nothing', 'a link to itself'].includes(what)
const replay = new EvmReplay(async () => ({}))

/** Verifies a recording in this process; the command would use another one. */
async function verify(path: string, signer: readonly string[] = []): Promise<Reading> {
  try {
    const { ending, text } = await verifyFile(path, { execute: false, maxSizeMib: 64, signer }, replay)
    return { ending, text: printable(text) }
  } catch (error) {
    return { ending: endingOfError(error), text: printable(`${path}: REFUSED\n${describeError(error)}`) }
  }
}

/** Every kind of untrusted file, with the command that reads it. */
export const FOREIGN_FILES: Readonly<Record<string, ForeignFile>> = {
  configuration: file('c.json', configuration, (path) => ['conform', '--list', '--config', path]),
  capabilities: file('c.json', capabilities, list('--capabilities')),
  'capabilities of a service to explore': file('c.json', capabilities, (path) => [
    ...['init', '--force', '--target', 'http://127.0.0.1:9', '--timeout', '1', '--capabilities', path],
  ]),
  keys: file('k.json', exampleOf(keysSchema), list('--keys')),
  manifest: file('m.json', manifest, list('--sandbox')),
  baseline: file('b.json', baseline, list('--baseline')),
  'baseline to compare with': file('b.json', baseline, (path) => [
    ...['baseline', 'check', withResults(path), '--baseline', path],
  ]),
  'table of scenarios': file('s.json', table, list('--scenarios')),
  scenario: file('s.json', scenario, list('--scenarios')),
  'scenario in a folder': file('s.json', scenario, (path) => [...target, '--scenarios', dirname(path)]),
  'scenario to simulate': file(
    's.json',
    '{ "description": "x", "requirements": ["confirm.recorded"], "steps": [] }',
    (path) => ['simulate', path],
  ),
  'kept failure': file(
    'f.json',
    kept,
    (path) => ['property', '--list', '--only', 'quote.answers', '--failures', dirname(path)],
    (what) => what === 'nothing',
  ),
  results: file('results.json', run, (path) => ['report', dirname(path)]),
  'results by their path': file('r.json', run, (path) => ['report', path]),
  'results to compare with': file(
    'r.json',
    run,
    (path) => ['report', withResults(path), '--against', path],
    (what) => what === 'a link to the folder that it is in',
  ),
  'results to compare': file('r.json', run, (path) => ['diff', path, path]),
  about: file(
    'about.json',
    exampleOf(aboutSchema),
    (path) => ['report', withResults(path)],
    (what) => what === 'nothing' || what === 'a link to nothing',
  ),
  shard: file('results.json', { ...run, shard }, (path) => [
    'merge',
    dirname(withFile(path, 'about.json', JSON.stringify(exampleOf(aboutSchema)))),
    ...['--out', nextTo(path, 'merged')],
  ]),
  recording: file('r.json', RECORDING, (path) => ['show', path]),
  'recording to execute': file('r.json', RECORDING, (path) => ['replay', path]),
  'recordings to compare': file('r.json', RECORDING, (path) => ['diff', path, GOLDEN]),
  'recordings to draw': file('r.json', RECORDING, (path) => [
    ...['report', '--recording', path, '--out', dirname(path)],
  ]),
  'recording of a run': file(
    join('recordings', 'r.json'),
    RECORDING,
    (path) => ['report', withResults(dirname(path))],
    (what) => what === 'nothing',
  ),
  'recordings of a run': file('recordings', '', (path) => ['report', withResults(path)], isMissing),
  'recording to sign': file('r.json', RECORDING, (path) => [
    ...['sign', '--no-execute', '--key', withFile(path, 'key', pemOf('alice')), path],
  ]),
  'recording to verify': { name: 'r.json', good: RECORDING, read: verify },
  signatures: {
    name: 'r.json.intoto.jsonl',
    good: '',
    read: (path) => verify(withFile(path, 'r.json', RECORDING)),
    isFine: isMissing,
  },
  'signatures to add to': {
    name: 'r.json.intoto.jsonl',
    good: '',
    read: (path) =>
      plumbline(
        ...['sign', '--no-execute', '--key', withFile(path, 'key', pemOf('alice'))],
        withFile(path, 'r.json', RECORDING),
      ),
    isFine: isMissing,
  },
  signer: {
    name: 'alice.pub',
    good: '',
    read: (path) => verify(withFile(path, 'r.json', RECORDING), [path]),
  },
  'private key': file('k', pemOf('alice'), (path) => ['sign', '--no-execute', '--key', path, GOLDEN]),
  'private key of a run': file('k', '', (path) => [
    ...[...target.slice(0, -1), '--record', nextTo(path, 'recordings'), '--sign', path],
  ]),
  'capabilities of the current folder': {
    name: 'capabilities.json',
    good: capabilities,
    read: async (path) => {
      const before = process.cwd()
      process.chdir(dirname(path))
      try {
        readDeclared(undefined)
        return { ending: 'conforms', text: '' }
      } catch (error) {
        return { ending: endingOfError(error), text: printable(describeError(error)) }
      } finally {
        process.chdir(before)
      }
    },
    // Another tool's file of that name is left alone.
    isFine: () => true,
  },
  'package of the current folder': {
    name: 'package.json',
    good: { name: 'x' },
    read: async (path) => ({
      ending: 'conforms',
      text: invocation({ folder: dirname(path), env: {}, program: '/usr/bin/plumbline' }),
    }),
    isFine: () => true,
  },
}
