import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { Command } from 'commander'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { PARTNER_KEYS } from '../fixtures/partners.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { serve, type TestServer } from '../targets/testing/misbehaving.ts'
import { withRunOptions } from './run/runOptions.ts'
import { plumbline } from './testing/plumbline.ts'

const started = process.cwd()
let folder: string
let server: TestServer
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-configuration-'))
  mkdirSync(join(folder, 'ci'))
  server = await serve((request, response) => {
    const amount = new URL(request.url ?? '/', 'http://localhost').searchParams.get('amount')
    response.writeHead(Number(amount) > 0 ? 200 : 400, { 'content-type': 'application/json' })
    response.end(JSON.stringify(Number(amount) > 0 ? { route: {} } : { error: 'refused' }))
  })
})
afterEach(() => process.chdir(started))
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Writes a configuration, and the files that it names. */
function configuration(content: unknown, name = 'plumbline.config.json'): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  writeFileSync(join(folder, 'keys.json'), JSON.stringify({ schema: 'plumbline-keys/1', keys: PARTNER_KEYS }))
  writeFileSync(
    join(folder, 'capabilities.json'),
    JSON.stringify({ schema: 'plumbline-capabilities/1', capabilities: [] }),
  )
  return path
}
const project = () => ({
  $schema: './node_modules/plumbline/docs/config.schema.json',
  target: server.url,
  profile: 'http',
  keys: 'keys.json',
  capabilities: 'capabilities.json',
  only: ['quote.amount.required'],
  out: 'results',
})
const about = () =>
  JSON.parse(readFileSync(join(folder, 'results', 'about.json'), 'utf8')) as { replay: string }

describe('plumbline.config.json', () => {
  test('of the current folder says what a run needs, and the command to run it again says all of it', async () => {
    configuration(project())
    process.chdir(folder)
    const { code, text } = await plumbline('conform')
    expect(code, text).toBe(EXIT.conforms)
    expect(text).toContain('options from plumbline.config.json')
    expect(about().replay).toBe(
      `npx plumbline conform --target ${server.url}/ --seed 1 --profile http --keys keys.json --capabilities capabilities.json --no-config --only quote.amount.required`,
    )
  })

  test('is read from elsewhere with --config: its paths are relative to it', async () => {
    const path = relative(
      started,
      configuration({ ...project(), keys: '../keys.json', out: '../results' }, 'ci/p.json'),
    )
    const { code, text } = await plumbline(
      'conform',
      '--config',
      path,
      '--capabilities',
      join(folder, 'capabilities.json'),
    )
    expect(code, text).toBe(EXIT.conforms)
    expect(text).toContain(`options from ${path}`)
    expect(about().replay).toContain(`--keys ${relative(started, join(folder, 'keys.json'))}`)
  })

  test('starts its implementation in its own folder', async () => {
    writeFileSync(join(folder, 'service.sh'), 'exit 7\n')
    const { target: _, ...others } = project()
    const path = configuration({ ...others, start: 'sh service.sh' }, 'start.json')
    const { code, text } = await plumbline('conform', '--config', path)
    expect(code).toBe(EXIT.inconclusive)
    expect(text).toContain('its process ended (exit code 7)')
  })

  test.each<[string, readonly string[], string]>([
    ['a flag of one value', ['--only', 'quote.refuses.amount.negative'], '1 of 1 case would run'],
    ['another target', ['--target', 'http://127.0.0.1:1'], '5 of 5 cases would run'],
    ['the reference, which has keys of its own', ['reference'], '5 of 5 cases would run'],
  ])('loses against %s', async (_name, argv, expected) => {
    configuration(project())
    process.chdir(folder)
    const { code, text } = await plumbline('conform', ...argv, '--dry-run')
    expect(code, text).toBe(EXIT.conforms)
    expect(text).toContain(expected)
  })

  test('is not read with --no-config', async () => {
    configuration('{')
    process.chdir(folder)
    const { code, text } = await plumbline('conform', '--no-config', '--list', '--only', 'confirm.depth')
    expect(code, text).toBe(EXIT.conforms)
    expect(text).not.toContain('options from')
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
    ['a URL that is none', { target: 'localhost' }, ['/target is "localhost"; it must be a base URL']],
    [
      'two implementations',
      { start: 'a', target: 'http://127.0.0.1:1' },
      ['/target', 'they name two implementations'],
    ],
    ['no JSON', '{', ['is not JSON', 'It must look like']],
  ])('is refused for %s, with the place and what is expected', async (_name, content, expected) => {
    const path = configuration(content, 'wrong.json')
    const { code, text } = await plumbline('conform', '--config', path, '--list')
    expect(code).toBe(EXIT.usage)
    expect(text).toContain('wrong.json')
    for (const part of expected) expect(text).toContain(part)
  })

  test('that is named and not there is wrong usage', async () => {
    const { code, text } = await plumbline('run', '--config', 'no-such.json', '--list')
    expect(code).toBe(EXIT.usage)
    expect(text).toContain('no-such.json: cannot be read (ENOENT)')
  })
})

test.each([
  ['run', { profile: 'sandbox', budget: 'quick' }],
  ['conform', { profile: 'http', budget: 'full' }],
])('plumbline %s takes from it only what means something of the reference', async (name, taken) => {
  const path = configuration({ profile: 'http', budget: 'full' }, 'reference.json')
  const command = withRunOptions(new Command(name).argument('[name]')).action(() => {})
  await command.parseAsync([...(name === 'run' ? [] : ['reference']), '--config', path], { from: 'user' })
  expect(command.opts()).toMatchObject(taken)
})
