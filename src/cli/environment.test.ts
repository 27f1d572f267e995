import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { revokerOf } from '../targets/starting/revoke.ts'
import { plumbline } from './testing/plumbline.ts'

/** Variables that a shell sets itself. */
const OF_SHELL = ['PWD', 'OLDPWD', 'SHLVL', '_']
const OF_RUN = ['PORT', 'PLUMBLINE_DIR', 'PLUMBLINE_KEYS', 'PLUMBLINE_SANDBOX', 'RPC_URL']
const OF_EVERYBODY = /^(?:PATH|HOME|TMPDIR|LANG|LC_\w+|TZ)$/

/** Variables of a CI job, and invented ones. */
const SECRETS = Object.fromEntries(
  [
    ...[
      'GITHUB_TOKEN',
      'GITHUB_OUTPUT',
      'GITHUB_ENV',
      'GITHUB_PATH',
      'ACTIONS_RUNTIME_TOKEN',
      'CI_JOB_TOKEN',
    ],
    ...['AWS_SECRET_ACCESS_KEY', 'NPM_TOKEN', 'DATABASE_URL', 'SSH_AUTH_SOCK', 'NODE_AUTH_TOKEN', 'LANGUAGE'],
    ...Array.from({ length: 28 }, (_, index) => `${['PATH', 'HOME', 'MY', 'lc'][index % 4]}_SECRET_${index}`),
  ].map((name) => [name, `secret of ${name}, never passed on`]),
)

const folder = temporaryFolder()
beforeEach(() => {
  rmSync(folder.at('names.json'), { force: true })
  for (const [name, value] of Object.entries(SECRETS)) vi.stubEnv(name, value)
})
afterEach(() => vi.unstubAllEnvs())

/** Returns a command that serves and logs its whole environment, and writes the names of the variables into a file. */
function service(): string {
  const names = JSON.stringify(folder.at('names.json'))
  const program = folder.write(
    'service.mjs',
    `import { createServer } from 'node:http'
    import { writeFileSync } from 'node:fs'
    writeFileSync(${names}, JSON.stringify(Object.keys(process.env)))
    const text = JSON.stringify(process.env)
    console.log(text)
    createServer((_, response) => response.writeHead(500, { 'content-type': 'application/json' }).end(text))
      .listen(process.env.PORT, '127.0.0.1')`,
  )
  return `"${process.execPath}" "${program}"`
}

const conform = (...argv: string[]) =>
  plumbline('conform', '--start', service(), ...ONE_CASE, '--out', folder.at('out'), ...argv)
const ONE_CASE = ['--profile', 'http', '--only', 'quote.route.market']

const namesGot = () => JSON.parse(folder.read('names.json')) as readonly string[]
const isOurs = (name: string) =>
  OF_EVERYBODY.test(name) || OF_RUN.includes(name) || OF_SHELL.includes(name) || name.startsWith('__')

test('a service gets no secret of the environment, and so none is in a file of the results', async () => {
  expect(Object.keys(SECRETS)).toHaveLength(40)
  const { code, text } = await conform()
  expect(code, text).toBe(EXIT['does-not-conform'])
  expect(namesGot()).toEqual(expect.arrayContaining(['PATH', ...OF_RUN]))
  expect(namesGot().filter((name) => !isOurs(name))).toEqual([])
  const files = readdirSync(folder.at('out'), { recursive: true, encoding: 'utf8' })
    .map((name) => folder.at('out', name))
    .filter((path) => statSync(path).isFile())
  // The files do hold the environment of the service.
  expect(files.some((path) => readFileSync(path, 'utf8').includes('PLUMBLINE_DIR'))).toBe(true)
  const leaked = Object.values(SECRETS).filter(
    (value) => text.includes(value) || files.some((path) => readFileSync(path, 'utf8').includes(value)),
  )
  expect(leaked).toEqual([])
})

test('--env and a configuration name further variables that it gets, also in the line that runs it again', async () => {
  const config = folder.write('config.json', { env: ['NPM_TOKEN', 'MY_SECRET_2'] })
  const { text } = await conform('--config', config)
  const further = namesGot().filter((name) => !isOurs(name))
  expect(further.sort()).toEqual(['MY_SECRET_2', 'NPM_TOKEN'])
  expect(text).toContain('--env NPM_TOKEN --env MY_SECRET_2')
  expect((await conform('--config', config, '--env', 'MY_SECRET_2')).text).not.toContain('NPM_TOKEN')
})

test.each([
  [['--env', 'NO_SUCH_VARIABLE'], 'NO_SUCH_VARIABLE, which is not set'],
  [['--env', 'MY_TOKEN=1'], 'the name of a variable is needed'],
])('%j is wrong usage, and nothing is started', async (argv, problem) => {
  const { code, text } = await conform(...argv)
  expect(code).toBe(EXIT.usage)
  expect(text).toContain(problem)
  expect(existsSync(folder.at('names.json'))).toBe(false)
})

test('the reference gets no variables', async () => {
  const { code, text } = await plumbline('conform', 'reference', '--env', 'NPM_TOKEN', '--list')
  expect(code).toBe(EXIT.usage)
  expect(text).toContain('the reference reads no variables')
})

test('the command that revokes a key gets what the service gets', async () => {
  const path = folder.at('variables')
  await revokerOf(`env > '${path}'`, { PLUMBLINE_DIR: folder.path })('a-key')
  const names = readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => line.match(/^\w+(?==)/) ?? [])
  expect(names).toContain('PLUMBLINE_DIR')
  expect(names.filter((name) => !isOurs(name))).toEqual([])
})
