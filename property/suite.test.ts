import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defectOf } from '../conformance/defects/index.ts'
import { main } from '../src/cli/main.ts'
import { PROPERTY } from '../src/cli/run/presets.ts'
import { requestOf } from '../src/cli/run/run.ts'
import { temporaryFolder } from '../src/host/testing/temporaryFolder.ts'
import { classesOf, propertyFamilies } from '../src/reporting/report/propertyFamilies.ts'
import { casesOf } from '../src/reporting/results.ts'
import { readFailures } from '../src/runner/families/failures.ts'
import { runFamily } from '../src/runner/families/runFamily.ts'
import { runSuites } from '../src/runner/run/run.ts'
import { missedFloors } from '../src/runner/verdict/floors.ts'
import { lentWorld } from '../src/simulation/testing/lentWorld.ts'
import type { World } from '../src/simulation/world/world.ts'
import { allRequirements } from '../src/spec/requirements/index.ts'
import { type InProcessEnvironment, inProcessEnvironment } from '../src/targets/environment/inProcess.ts'
import { EXPECTED_KILLS } from './expectedKills.ts'
import { FAILURES } from './index.ts'
import { FAMILIES } from './suite.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)
const PROPERTIES = FAMILIES.flatMap(({ properties }) => properties)

test('the reference keeps every property, in cases of every class', async () => {
  const options = { seed: 1, effort: 'quick', profile: 'sandbox', timeout: 1_800 } as const
  const suites = PROPERTY.suites(options, false)
  const { result } = await runSuites(
    await requestOf({ command: 'property', suites, target: 'reference', options: {}, seed: 1, workers: 1 }),
  )
  const rows = casesOf(result)
  expect(rows.filter(({ status }) => status !== 'pass')).toEqual([])
  expect(result.floors.length).toBeGreaterThan(50)
  expect(missedFloors(result.floors)).toEqual([])
  expect(rows.map(({ id }) => id).sort()).toEqual(PROPERTIES.map(({ id }) => id).sort())
  expect(result.verdict).toBe('conforms')
  const swaps = classesOf(propertyFamilies(result)).find(({ name }) => name === 'in all: swaps')
  expect(swaps?.count).toBeGreaterThan(20)
})

describe('the list of properties', () => {
  test('names each once, with requirements that exist', () => {
    const ids = PROPERTIES.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const known = new Set(allRequirements().map(({ id }) => id))
    expect(PROPERTIES.flatMap(({ requirements }) => requirements.filter((id) => !known.has(id)))).toEqual([])
  })

  test('holds each against two broken services at least, which exist', () => {
    expect(Object.keys(EXPECTED_KILLS).sort()).toEqual(PROPERTIES.map(({ id }) => id).sort())
    expect(Object.entries(EXPECTED_KILLS).filter(([, defects]) => defects.length < 2)).toEqual([])
    expect([...new Set(Object.values(EXPECTED_KILLS).flat())].filter((id) => defectOf(id) === null)).toEqual(
      [],
    )
  })

  test('has a property for every kept failure', () => {
    const ids = new Set(PROPERTIES.map(({ id }) => id))
    expect(readFailures(FAILURES).filter(({ property }) => !ids.has(property))).toEqual([])
  })
})

describe('two runs of one seed', () => {
  test.each(FAMILIES.map((family) => [family.id, family] as const))(
    'of %s have the same answers, counts and labels, in another world as well',
    async (_id, family) => {
      const choice = { seed: 3, budget: 'quick', cases: 1 } as const
      const once = await runFamily(family, first, choice)
      expect(await runFamily(family, second, choice)).toEqual(once)
      expect(once).toMatchObject({ cases: 1 })
    },
  )

  let worlds: readonly World[]
  let first: InProcessEnvironment
  let second: InProcessEnvironment
  beforeAll(async () => {
    worlds = await Promise.all([3, 4].map((seed) => lentWorld(seed)))
    ;[first, second] = worlds.map((world) => inProcessEnvironment(world)) as [
      InProcessEnvironment,
      InProcessEnvironment,
    ]
  })
  afterAll(() => Promise.all(worlds.map((world) => world.stop())))
})

describe('a mistake that a property finds', () => {
  const { path: directory } = temporaryFolder()

  const property = 'quote.delta-from-net'
  const flags = ['--seed', '7', '--defect', 'property.delta-in-percent', '--only', property]

  /** Runs one of Plumbline's command lines, regardless of its exit code. */
  const shell = async (command: string, args: readonly string[]) => {
    const ended = await run(command, [...args], { cwd: ROOT, env: { ...process.env, NO_COLOR: '1' } }).catch(
      (error: { code: number; stdout: string; stderr: string }) => error,
    )
    return { code: 'code' in ended ? ended.code : 0, out: ended.stdout, err: ended.stderr }
  }
  /** Runs the same command line in this process. */
  const runHere = async (...argv: string[]) => {
    const err: string[] = []
    const code = await main(argv, { out: () => {}, err: (line) => err.push(line) })
    return { code, err: err.join('\n') }
  }
  const counterexampleIn = (text: string): unknown => {
    const start = '    minimal counterexample: '
    const line = text.split('\n').find((each) => each.startsWith(start)) ?? ''
    return JSON.parse(line.slice(start.length))
  }

  test('is reported with its seed and a command that finds the same again, is kept, and passes once fixed', async () => {
    const found = await shell('npm', ['run', '--silent', 'property', '--', ...flags])
    expect(found.code).toBe(1)
    const lines = found.err
      .split('\n')
      .filter((line) => !line.startsWith('npm warn') && !line.startsWith('running '))
    const replay = lines.find((line) => line.startsWith('  replay: '))?.slice(10) ?? ''
    expect(replay).toBe(`npx plumbline property ${flags.join(' ')}`)

    // The same command line, in this process.
    const replayed = await runHere(
      ...replay
        .split(' ')
        .slice(2)
        .filter((word) => word !== '--'),
      '--failures',
      directory,
    )
    expect(replayed.code).toBe(1)
    expect(counterexampleIn(replayed.err)).toEqual(counterexampleIn(found.err))
    const [kept] = readFailures(directory)
    expect(kept).toMatchObject({ property, case: counterexampleIn(found.err) })
    expect(await readFile(kept?.file ?? '', 'utf8')).not.toContain('path')

    const family = FAMILIES.find(({ id }) => id === 'quote')
    const defect = defectOf('property.delta-in-percent')
    if (family === undefined || defect === undefined || kept === undefined)
      throw new Error('nothing was kept')
    const world = await lentWorld(1)
    const options = {
      seed: 1,
      budget: 'quick',
      only: new Set([property]),
      failures: [kept],
      cases: 1,
    } as const
    try {
      const broken = await runFamily(
        family,
        inProcessEnvironment(world, { seams: defect?.seams ?? {} }),
        options,
      )
      expect(broken.properties[0]?.counterexample).toMatchObject({ generated: null, file: kept.file })
      const fixed = await runFamily(family, inProcessEnvironment(world), options)
      expect(fixed).toMatchObject({ failures: 1, properties: [{ counterexample: null }] })
    } finally {
      await world.stop()
    }
  })
})
