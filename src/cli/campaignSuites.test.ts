import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { openCampaigns } from '../campaign/database/open.ts'
import type { SeedFailure, SeedOutcome, SeedPlan } from '../campaign/seedRunner.ts'
import { madeUpCase } from '../campaign/testing/seeds.ts'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { sharedPostgresServer } from '../service/store/testing/databases.ts'
import { useDatabases } from '../service/store/testing/eachDatabase.ts'
import { serve } from '../targets/testing/misbehaving.ts'
import { openCaseSeeds } from './campaign/caseSeeds.ts'
import { replayLine } from './campaign/replay.ts'
import { plumbline } from './testing/plumbline.ts'
import { quotesBelowZero } from './testing/quotesBelowZero.ts'

const databases = useDatabases(sharedPostgresServer)
const { path: directory } = temporaryFolder()
let url: string
beforeAll(async () => {
  url = await databases.current.create()
})

/** Runs a campaign in the database of this file. */
function campaign(...argv: string[]) {
  return plumbline('campaign', 'run', '--database-url', url, '--quiet', ...argv)
}

const idOf = ({ err }: { readonly err: string }) => /campaign (\w+)/.exec(err)?.[1] ?? ''

/** Runs the replay line of a failure. */
function replayed(line: string, ...argv: string[]) {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
  return plumbline(...words.slice(2), ...argv)
}

it('finds a planted defect with the properties, and fails again in the same way', async () => {
  const plan = { suite: 'property', only: ['input.errors-say-why'], defect: 'property.empty-errors' } as const
  const worker = openCaseSeeds(plan, null)
  const { failures } = (await worker.run(3).finally(() => worker.stop())) as SeedOutcome
  const failed = failures[0] as SeedFailure
  const again = await replayed(replayLine(plan, failed), '--json')
  expect(again.code).toBe(EXIT['does-not-conform'])
  const [{ failure }] = JSON.parse(again.out).suites[0].cases
  const { requirement, counterexample } = failure
  expect(counterexample).toBeDefined()
  expect(failed.case.failure).toMatchObject({ requirement, counterexample })
})

it('is run again by the command of its suite, with the options that were given', () => {
  const failed = { seed: 1, case: madeUpCase(1) }
  const target = {
    ...({ named: "./it's mine", profile: 'http', digest: '' } as const),
    options: { start: "./it's mine", keys: 'my keys.json', env: ['TOKEN'] },
  }
  expect(replayLine({ suite: 'property', only: ['quote.*'] }, { seed: 3 })).toBe(
    "npx plumbline property --seed 3 --only 'quote.*'",
  )
  expect(replayLine({ suite: 'conform', defect: 'confirm.repeat-409' }, failed)).toBe(
    'npx plumbline conform reference --seed 1 --defect confirm.repeat-409 --only confirm.credits',
  )
  expect(replayLine({ suite: 'property', target }, failed)).toBe(
    "npx plumbline conform --start './it'\\''s mine' --seed 1 --profile http --with-properties --keys 'my keys.json' --env TOKEN --only confirm.credits",
  )
})

describe('a service that is reached from outside', () => {
  const PLAN: SeedPlan = {
    ...{ suite: 'conform', only: ['quote.refuses.amount.*'] },
    target: { named: 'it', profile: 'http', options: {}, digest: '' },
  }
  const ORDER = [
    ...['--seeds', '1..2', '--suite', 'conform', '--only', 'quote.refuses.amount.*'],
    ...['--profile', 'http'],
  ]

  it('is run and verified on the machine that names it, which keeps its password', async () => {
    const server = await serve(quotesBelowZero(400))
    const target = ['--target', server.url.replace('://', '://me:hunter2@')]
    const ran = await campaign(...ORDER, ...target, '--json')
    expect(ran.code, ran.err).toBe(EXIT.conforms)
    expect(JSON.parse(ran.out)).toMatchObject({ target: `${server.url}/`, failures: [] })
    const verify = ['campaign', 'verify', idOf(ran), '--sample', '100%', '--database-url', url]
    expect((await plumbline(...verify)).code).toBe(EXIT.usage)
    expect((await plumbline(...verify, ...target)).code).toBe(EXIT.conforms)
    const database = await openCampaigns({ url, connections: 2 })
    const rows = await database.db.selectFrom('campaigns').selectAll().execute()
    await database.close()
    expect(JSON.stringify(rows)).toContain(server.url)
    expect(JSON.stringify(rows)).not.toContain('hunter2')
    await server.stop()
  })

  /** Runs a seed against a service at this address. */
  async function seedOf(address: string) {
    const worker = openCaseSeeds(PLAN, { target: { url: new URL(address) }, options: {} })
    const result = await worker.run(1).finally(() => worker.stop())
    return result as { readonly gone: string }
  }

  it('is reported as gone if it goes away in the middle of a seed, without its password', async () => {
    let requests = 0
    const server = await serve((request, response) => {
      requests += 1
      if (requests > 3) void server.stop()
      else quotesBelowZero(400)(request, response)
    })
    const { gone } = await seedOf(server.url.replace('://', '://me:hunter2@'))
    expect(requests).toBeGreaterThan(3)
    expect(gone).toContain('no response at http://127.0.0.1')
    expect(gone).not.toContain('hunter2')
  })

  it('is started by a worker, without the URL of the database; the replay line fails again', async () => {
    vi.stubEnv('DATABASE_URL', url)
    const program = join(directory, 'service.mjs')
    writeFileSync(
      program,
      `import { createServer } from 'node:http'
      if ('DATABASE_URL' in process.env) process.exit(1)
      ${quotesBelowZero.toString()}
      createServer(quotesBelowZero(200)).listen(Number(process.env.PORT), '127.0.0.1')`,
    )
    const start = ['--start', `"${process.execPath}" "${program}"`]
    const { code, out, err } = await campaign(...ORDER, ...start, '--json')
    expect(code, err).toBe(EXIT['does-not-conform'])
    const [{ fingerprint, seeds, replay }] = JSON.parse(out).failures
    expect(seeds).toBe(2)
    const again = await replayed(replay, '--out', directory, '--quiet')
    expect(again.code).toBe(EXIT['does-not-conform'])
    const { cases } = JSON.parse(readFileSync(join(directory, 'verdicts.json'), 'utf8'))
    expect(cases).toContainEqual(expect.objectContaining({ fingerprint, status: 'fail' }))
    vi.unstubAllEnvs()
  })
})

it.each([
  ['--suite', 'property', '--only', 'no.such'],
  ['--suite', 'property', '--defect', 'no.such'],
  ['--suite', 'conform', '--profile', 'http'],
  ['--suite', 'conform', '--keys', 'keys.json'],
  ['--suite', 'conform', '--target', 'http://127.0.0.1:9'],
  ['--suite', 'conform', '--target', 'http://127.0.0.1:9', '--profile', 'http', '--workers', '2'],
  ['--suite', 'conform', '--start', './it', '--defect', 'confirm.repeat-409'],
  ['--suite', 'stories'],
  ['--only', 'confirm.*'],
  ['--start', './it'],
])('refuses a campaign with %s %s %s %s', async (...argv) => {
  const { code, err } = await campaign('--seeds', '1..2', ...argv)
  expect(code, err).toBe(EXIT.usage)
})
