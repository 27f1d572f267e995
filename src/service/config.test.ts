import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ConfigError, readConfig, VARIABLES } from './config.ts'

const GUIDE = readFileSync(new URL('../../docs/service.md', import.meta.url), 'utf8')

/** The rows of the guide's tables of variables: name, default, range. */
const documented = [...GUIDE.matchAll(/^\| `([A-Z_]+)` +\| ([^|]+) +\| ([^|]+) +\|/gm)].map(
  ([, name = '', value = '', range = '']) => ({
    name,
    value: value.trim().replaceAll('`', ''),
    range: range.trim(),
  }),
)
const ranged = documented.flatMap(({ name, range }) => {
  const [, least, most] = range.replaceAll(',', '').match(/^(\d+) to (\d+)$/) ?? []
  return least === undefined || most === undefined ? [] : [{ name, least: Number(least), most: Number(most) }]
})

test('an empty environment gives the defaults, and a variable set to nothing counts as not set', () => {
  const config = readConfig({ PORT: '' })
  expect(config).toEqual(readConfig({}))
  expect(config).toMatchObject({ host: '127.0.0.1', port: 4663, databaseUrl: ':memory:', rpcUrl: null })
})

test('the guide lists every variable, in their order', () => {
  expect(documented.map(({ name }) => name)).toEqual(VARIABLES)
})

test.each(documented.filter(({ value }) => !['none', 'that of the manifest'].includes(value)))(
  'the default of $name is that of the guide',
  ({ name, value }) => {
    expect(readConfig({ [name]: value })).toEqual(readConfig({}))
  },
)

test.each(ranged)('$name reaches from one end of its range in the guide to the other', (row) => {
  const { name, least, most } = row
  for (const value of [least, most]) expect(() => readConfig({ [name]: String(value) })).not.toThrow()
  expect(() => readConfig({ [name]: String(most + 1) })).toThrow(ConfigError)
  if (least > 0) expect(() => readConfig({ [name]: String(least - 1) })).toThrow(ConfigError)
})

test('the guide states a range for each variable that is a number', () => {
  const numbers = documented.filter(({ value }) => /^\d+$/.test(value)).map(({ name }) => name)
  expect(ranged.map(({ name }) => name)).toEqual(numbers)
})

test('every variable is taken over', () => {
  const config = readConfig({
    HOST: '0.0.0.0',
    PORT: '0',
    DATABASE_URL: 'file:partners.db',
    RPC_URL: 'http://127.0.0.1:8545',
    LOG_LEVEL: 'warn',
    DOCS_PAGE: 'off',
    METRICS: 'off',
    BUDGET_REQUESTS: '3',
    BUDGET_WINDOW_MS: '5000',
    BLOCK_TIME_MS: '100',
    BUILD_RETENTION_DAYS: '30',
    RUNNING_MAX: '4',
    WAITING_MAX: '0',
    WAIT_MS: '100',
    KEY_BUDGET_REQUESTS: '7',
    KEY_BUDGET_WINDOW_MS: '2000',
    CONNECTIONS_MAX: '10',
    REQUEST_TIMEOUT_MS: '500',
    SHUTDOWN_TIMEOUT_MS: '0',
    UNRELATED: 'is not looked at',
  })
  expect(config).toMatchObject({
    host: '0.0.0.0',
    port: 0,
    databaseUrl: 'file:partners.db',
    rpcUrl: 'http://127.0.0.1:8545',
    logLevel: 'warn',
    docsPage: false,
    metrics: false,
    policy: { blockTimeMs: 100, buildRetentionMs: 30 * 86_400_000, budget: { requests: 3, windowMs: 5000 } },
    limits: {
      runningMax: 4,
      waitingMax: 0,
      waitMs: 100,
      keyBudget: { requests: 7, windowMs: 2000 },
      connectionsMax: 10,
      requestTimeoutMs: 500,
      shutdownTimeoutMs: 0,
    },
  })
})

test('builds are kept for 90 days by default, and forever with 0', () => {
  expect(readConfig({}).policy.buildRetentionMs).toBe(90 * 86_400_000)
  expect(readConfig({ BUILD_RETENTION_DAYS: '0' }).policy).not.toHaveProperty('buildRetentionMs')
})

test.each([
  ['PORT', 'http', 'whole number'],
  ['PORT', '-1', 'whole number'],
  ['DATABASE_URL', 'mysql://localhost', 'postgres://'],
  ['RPC_URL', 'ws://127.0.0.1:8545', 'http'],
  ['RPC_URL', 'localhost', 'http'],
  ['RPC_URL', 'gopher://127.0.0.1:8545', 'http'],
  ['LOG_LEVEL', 'loud', 'info'],
  ['DOCS_PAGE', 'yes', 'on or off'],
  ['METRICS', 'yes', 'on or off'],
  ['BUILD_RETENTION_DAYS', '-1', 'whole number'],
])('%s=%s is refused by name, with what it may be', (variable, value, hint) => {
  const refused = () => readConfig({ [variable]: value })
  expect(refused).toThrow(ConfigError)
  expect(refused).toThrow(variable)
  expect(refused).toThrow(hint)
})

test('a refused database URL is not repeated, as it may hold a password', () => {
  expect(() => readConfig({ DATABASE_URL: 'mysql://user:hunter2@localhost' })).not.toThrow(/hunter2/)
})
