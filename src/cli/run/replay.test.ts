import { expect, test } from 'vitest'
import { OPTIONS } from './options.ts'
import { caseCommandLine, commandLine, type SaidOptions } from './replay.ts'

const DEFAULTS: SaidOptions = { seed: 1, profile: 'sandbox', effort: 'quick', timeout: 1_800 }

test.each<[string, string, SaidOptions, readonly string[], string]>([
  ['the reference by its name', 'conform', {}, ['reference'], 'conform reference --seed 1 --profile sandbox'],
  ['every suite against the reference, which has one profile', 'run', {}, [], 'run --seed 1'],
  [
    'a command of several words',
    'conform',
    { start: './my service', seed: 7 },
    [],
    "conform --start './my service' --seed 7 --profile sandbox",
  ],
  [
    'a URL without the password in it',
    'run',
    { target: 'http://me:secret@127.0.0.1:1/base', profile: 'http', strict: true, bail: true },
    [],
    'run --target http://127.0.0.1:1/base --seed 1 --profile http --strict',
  ],
  [
    'what the configuration said',
    'conform',
    { config: 'plumbline.config.json', start: 'serve', keys: 'my keys.json', env: ['A', 'B'] },
    [],
    "conform --start serve --seed 1 --profile sandbox --keys 'my keys.json' --env A --env B --no-config",
  ],
  [
    'patterns and copies',
    'conform',
    { start: 'serve', instances: 4, only: ['confirm.*', 'quote.memo'], skip: ["it's"] },
    [],
    "conform --start serve --seed 1 --profile sandbox --instances 4 --only 'confirm.*' --only quote.memo --skip 'it'\\''s'",
  ],
  [
    'a known-broken service',
    'property',
    { effort: 'full', defect: 'quote.nothing', failures: 'found' },
    [],
    'property --seed 1 --defect quote.nothing --failures found --effort full',
  ],
])('the command line that runs the same again names %s', (_, command, options, names, expected) => {
  expect(commandLine(command, { ...DEFAULTS, ...options }, names)).toBe(`npx plumbline ${expected}`)
})

test('the command line of one case names that case, and neither the patterns nor the copies of the run', () => {
  const options = { ...DEFAULTS, start: 'serve', instances: 4, only: ['confirm.*'], skip: ['quote.*'] }
  expect(caseCommandLine('conform', options, 'confirm.depth')).toBe(
    'npx plumbline conform --start serve --seed 1 --profile sandbox --only confirm.depth',
  )
})

test('every option is declared under the name that its flag has', () => {
  const named = Object.entries(OPTIONS).map(([name, { flags }]) => {
    const [, word = ''] = /^--([a-z-]+)/.exec(flags) ?? []
    return [name, word.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())]
  })
  expect(named.filter(([name, flag]) => name !== flag)).toEqual([])
})
