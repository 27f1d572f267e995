import { relative } from 'node:path'
import { Command } from 'commander'
import { afterEach, describe, expect, test } from 'vitest'
import { PARTNER_KEYS } from '../fixtures/partners.ts'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { commandLine, type SaidOptions } from './run/replay.ts'
import { withRunOptions } from './run/runOptions.ts'
import { plumbline } from './testing/plumbline.ts'

const folder = temporaryFolder()
const started = process.cwd()
afterEach(() => process.chdir(started))

const PROJECT = {
  $schema: './node_modules/plumbline-conformance/docs/config.schema.json',
  ...{ target: 'http://127.0.0.1:1', profile: 'http', keys: 'keys.json', capabilities: 'capabilities.json' },
  ...{ only: ['quote.amount.required'], out: 'results' },
}

/** Returns the options of a command line and its configuration. */
async function optionsOf(command: string, ...argv: readonly string[]): Promise<SaidOptions> {
  const called = withRunOptions(new Command(command).argument('[name]')).action(() => {})
  await called.parseAsync([...argv], { from: 'user' })
  return called.opts()
}

describe('plumbline.config.json', () => {
  test('of the current folder sets the options of a run, and its replay line names all of them', async () => {
    folder.write('plumbline.config.json', PROJECT)
    process.chdir(folder.path)
    const options = await optionsOf('conform')
    const { $schema: _, ...said } = PROJECT
    expect(options).toMatchObject({ ...said, config: 'plumbline.config.json' })
    expect(commandLine('conform', options)).toBe(
      'npx plumbline-conformance conform --target http://127.0.0.1:1/ --seed 1 --profile http --keys keys.json --capabilities capabilities.json --no-config --only quote.amount.required',
    )
    folder.write('keys.json', { schema: 'plumbline-keys/1', keys: PARTNER_KEYS })
    folder.write('capabilities.json', { schema: 'plumbline-capabilities/1', capabilities: [] })
    const { code, text } = await plumbline('conform', '--list')
    expect(code, text).toBe(EXIT.conforms)
    expect(text).toContain('options from plumbline.config.json')
    expect(text).toContain('5 of 5 cases would run')
  })

  test('is read from elsewhere with --config: its paths are relative to it, and its command runs in its folder', async () => {
    const path = relative(started, folder.write('ci/p.json', { ...PROJECT, keys: '../keys.json' }))
    const given = ['--config', path, '--capabilities', 'mine.json']
    expect(await optionsOf('conform', ...given)).toMatchObject({
      ...{ config: path, capabilities: 'mine.json', keys: relative(started, folder.at('keys.json')) },
    })
    const { target: _, ...others } = PROJECT
    const starts = folder.write('ci/start.json', { ...others, start: 'sh service.sh' })
    expect((await optionsOf('conform', '--config', starts)).start).toMatch(/^cd .*ci'? && .*sh service\.sh/)
  })

  test.each<[string, readonly string[], Readonly<Record<string, unknown>>]>([
    ['a flag of one value', ['--only', 'quote.route.market'], { only: ['quote.route.market'] }],
    ['another target', ['--target', 'http://127.0.0.1:2'], { target: 'http://127.0.0.1:2' }],
    ['another way to it', ['--start', './it'], { start: './it', target: undefined }],
    ['the reference, which has keys of its own', ['reference'], { keys: undefined }],
  ])('loses against %s', async (_name, argv, expected) => {
    const path = folder.write('loses.json', PROJECT)
    const options = await optionsOf('conform', ...argv, '--config', path)
    expect(Object.keys(expected).map((name) => Reflect.get(options, name))).toEqual(Object.values(expected))
  })

  test('is not read with --no-config', async () => {
    folder.write('plumbline.config.json', '{')
    process.chdir(folder.path)
    expect((await optionsOf('conform', '--no-config')).config).toBe(false)
  })

  test.each<[string, unknown, readonly string[]]>([
    [
      'a member that does not exist',
      { profil: 'http' },
      ['/profil is not a known member', 'Did you mean profile?'],
    ],
    ['the name of a flag', { 'with-properties': true }, ['/with-properties', 'Did you mean withProperties?']],
    ['a value of another type', { seed: '7' }, ['/seed is "7"; expected a number']],
    ['a value that does not exist', { profile: 'sandbx' }, ['/profile is "sandbx"', 'Did you mean sandbox?']],
    ['an invalid URL', { target: 'localhost' }, ['/target is "localhost"; it must be a base URL']],
    [
      'two implementations',
      { start: 'a', target: 'http://127.0.0.1:1' },
      ['/target', 'each names an implementation'],
    ],
    ['no JSON', '{', ['is not JSON', 'It must look like']],
  ])('is refused for %s, with the place and what is expected', async (_name, content, expected) => {
    const path = folder.write('wrong.json', content)
    const { code, text } = await plumbline('conform', '--config', path, '--list')
    expect(code).toBe(EXIT.usage)
    expect(text).toContain('wrong.json')
    for (const part of expected) expect(text).toContain(part)
  })

  test('that is named and missing is wrong usage', async () => {
    const { code, text } = await plumbline('run', '--config', 'no-such.json', '--list')
    expect(code).toBe(EXIT.usage)
    expect(text).toContain('no-such.json: cannot be read (ENOENT)')
  })
})

test.each([
  ['run', { profile: 'sandbox', effort: 'quick' }],
  ['conform', { profile: 'http', effort: 'full' }],
])('plumbline %s takes from it only what applies to the reference', async (name, taken) => {
  const path = folder.write('reference.json', { profile: 'http', effort: 'full' })
  const options = await optionsOf(name, ...(name === 'run' ? [] : ['reference']), '--config', path)
  expect(options).toMatchObject(taken)
})
