import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
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
import { useWorld } from '../src/simulation/testing/lentWorld.ts'
import type { World } from '../src/simulation/world/world.ts'
import { allRequirements } from '../src/spec/requirements/index.ts'
import { inProcessEnvironment } from '../src/targets/environment/inProcess.ts'
import { EXPECTED_KILLS } from './expectedKills.ts'
import { FAILURES } from './index.ts'
import { quotes } from './quote/family.ts'
import { FAMILIES } from './suite.ts'

/** Two worlds, each with a seed of its own. */
const worlds = [useWorld(3), useWorld(4)] as const
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
      const runIn = (world: World) =>
        runFamily(family, inProcessEnvironment(world), { seed: 3, budget: 'quick', cases: 1 })
      const [once, again] = [await runIn(worlds[0]), await runIn(worlds[1])]
      expect(again).toEqual(once)
      expect(once).toMatchObject({ cases: 1 })
    },
  )
})

describe('a mistake that a property finds', () => {
  const { path: directory } = temporaryFolder()

  const property = 'quote.delta-from-net'
  const flags = ['--seed', '7', '--defect', 'property.delta-in-percent', '--only', property]

  const runProperty = async (...flags: string[]) => {
    const err: string[] = []
    const code = await main(['property', ...flags], { out: () => {}, err: (line) => err.push(line) })
    return { code, err: err.join('\n') }
  }
  const counterexampleIn = (text: string): unknown => {
    const start = '    minimal counterexample: '
    const line = text.split('\n').find((each) => each.startsWith(start)) ?? ''
    return JSON.parse(line.slice(start.length))
  }

  test('is reported with its seed and a command that finds the same again, is kept, and passes once fixed', async () => {
    const found = await runProperty(...flags)
    expect(found.code).toBe(1)
    const replay = found.err.split('\n').find((line) => line.startsWith('  replay: ')) ?? ''
    expect(replay).toBe(`  replay: npx plumbline property ${flags.join(' ')}`)

    const replayed = await runProperty(...replay.split(' ').slice(6), '--failures', directory)
    expect(replayed.code).toBe(1)
    expect(counterexampleIn(replayed.err)).toEqual(counterexampleIn(found.err))
    const [kept] = readFailures(directory)
    if (kept === undefined) throw new Error('nothing was kept')
    expect(kept).toMatchObject({ property, case: counterexampleIn(found.err) })
    expect(readFileSync(kept.file, 'utf8')).not.toContain('path')

    const options = {
      seed: 1,
      budget: 'quick',
      only: new Set([property]),
      failures: [kept],
      cases: 1,
    } as const
    const seams = defectOf('property.delta-in-percent')?.seams ?? {}
    const broken = await runFamily(quotes, inProcessEnvironment(worlds[0], { seams }), options)
    expect(broken.properties[0]?.counterexample).toMatchObject({ generated: null, file: kept.file })
    const fixed = await runFamily(quotes, inProcessEnvironment(worlds[1]), options)
    expect(fixed).toMatchObject({ failures: 1, properties: [{ counterexample: null }] })
  })
})
