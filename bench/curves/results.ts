import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readRun } from '../../src/cli/report/readRun.ts'
import { showOutcome, writeOutcome } from '../../src/cli/run/show.ts'
import { conformanceCases } from '../../src/cli/suites.ts'
import { updatedBaseline } from '../../src/reporting/baseline.ts'
import { BASELINE_SCHEMA } from '../../src/reporting/baselineFormat.ts'
import { toComment } from '../../src/reporting/comment.ts'
import { renderReport } from '../../src/reporting/html/render.ts'
import { toJunit } from '../../src/reporting/junit.ts'
import { toMarkdown } from '../../src/reporting/markdown.ts'
import { ABOUT_SCHEMA } from '../../src/reporting/report/about.ts'
import { compareRuns } from '../../src/reporting/report/compareRuns.ts'
import { reportOf } from '../../src/reporting/report/fromResults.ts'
import { mergeShards } from '../../src/runner/mergeShards.ts'
import { caseEnds, type FinishedRun, resultOf, verdictsOf } from '../../src/runner/result.ts'
import type { CaseResult } from '../../src/runner/runCase.ts'
import type { Measure, Sized } from './measureCurves.ts'

/** One result of so many fails, and one of so many more is inconclusive. */
const FAILURE_EACH = 50
const INCONCLUSIVE_EACH = 101
const SHARDS = 4
const REPLAY = 'npx plumbline conform reference'
const NOWHERE = { out: () => {}, err: () => {} }
const SHOWN = { verbose: true, annotations: true, json: false, quiet: false }
/** What the work consists of, and a map of texts that is made by itself grows in the same way. */
const MAPS_GROW = 'maps of texts cost 0.2 µs for each of 1,000 entries, and 0.7 µs for each of 100,000'
const TODAY = '2026-01-01'
const WHY = { reason: 'known', link: 'https://example.com/1', expires: '2099-12-31' }

/** What results cost by their number: to tally, write, read, render, merge, print, and compare with others. */
export function results(sizes: readonly number[]): Sized {
  return {
    size: 'results',
    sizes,
    because: { 'summary and comment of a run': MAPS_GROW, 'update a baseline': MAPS_GROW },
    at: async (size, measure) => {
      const run = finishedRun(casesOf(size))
      await measureOneRun(run, measure)
      await measureShards(run, measure)
      await measureBaseline(run, measure)
    },
  }
}

async function measureOneRun(run: FinishedRun, measure: Measure): Promise<void> {
  const result = resultOf(run)
  const verdicts = verdictsOf(result)
  const report = reportOf(result)
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  const files = { run: { replay: REPLAY, baseUrl: null, durationMs: 1 } }
  try {
    await measure('tally results', () => resultOf(run))
    await measure('write a run with its report', () => writeOutcome({ result, verdicts }, folder, files))
    await measure('read a run', () => readRun(folder))
    await measure('report of a run', () => reportOf(result))
    await measure('page of a run', () => renderReport(report))
    await measure('summary and comment of a run', () => [toMarkdown(report), toComment(report)])
    await measure('JUnit file of a run', () => toJunit(result))
    await measure('print a run', () => showOutcome({ result }, SHOWN, null, null, null, NOWHERE))
    await measure('compare two runs', () => compareRuns(result, result, 'another'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function measureShards(run: FinishedRun, measure: Measure): Promise<void> {
  const shards = shardsOf(run)
  await measure('merge shards', () => mergeShards(shards))
}

async function measureBaseline(run: FinishedRun, measure: Measure): Promise<void> {
  const judged = caseEnds(run.suites.flatMap(({ cases }) => cases))
  const known = updatedBaseline(judged, { schema: BASELINE_SCHEMA, entries: [] }, WHY, TODAY)
  const baseline = { known, today: TODAY }
  await measure('apply a baseline', () => resultOf({ ...run, baseline }))
  await measure('update a baseline', () => updatedBaseline(judged, known, WHY, TODAY))
}

function finishedRun(cases: readonly CaseResult[]): FinishedRun {
  return {
    command: 'conform',
    target: 'reference',
    seed: 1,
    profile: 'sandbox',
    capabilities: new Set(),
    suites: [{ name: 'conformance', cases }],
    whole: true,
  }
}

/** Results in the proportions of a run with a few causes: each is of a case of the suite, under an id of its own. */
function casesOf(size: number): readonly CaseResult[] {
  const models = conformanceCases()
  return Array.from({ length: size }, (_, index): CaseResult => {
    const model = models[index % models.length]
    if (model === undefined) throw new RangeError('there are no cases')
    const { title, requirements } = model
    const isFailure = index % FAILURE_EACH === 1
    const isUnclear = !isFailure && index % INCONCLUSIVE_EACH === 2
    return {
      id: `${model.id}.${index}`,
      title,
      requirements,
      status: isFailure ? 'fail' : isUnclear ? 'inconclusive' : 'pass',
      exercised: 3,
      notes: [],
      judged: requirements.map((requirement, position) => ({
        requirement,
        passed: 3,
        failed: isFailure && position === 0 ? 1 : 0,
        observed: 0,
        venues: ['venue_a'],
        boundaryClasses: [],
        seen: [],
      })),
      failure: isFailure || isUnclear ? failureOf(requirements[0] ?? null, isFailure, index) : null,
      durationMs: 5,
    }
  })
}

function failureOf(
  tested: CaseResult['requirements'][number] | null,
  isFailure: boolean,
  index: number,
): NonNullable<CaseResult['failure']> {
  return {
    blame: isFailure ? 'target' : 'harness',
    requirement: isFailure ? tested : null,
    message: isFailure ? `the answer ${index} breaks it` : `the answer ${index} could not be judged`,
    expected: 'what the clause says',
    seen: `something else, ${index}`,
    exchanges: [
      {
        request: { method: 'GET', path: '/api/v1/quote?from=ETH&to=USDG&amount=1', headers: {}, body: null },
        response: { status: 200, headers: {}, body: JSON.stringify({ route: null, index }) },
      },
    ],
    replay: `${REPLAY} --only ${index}`,
  }
}

function shardsOf(run: FinishedRun): Parameters<typeof mergeShards>[0] {
  const all = run.suites.flatMap(({ cases }) => cases)
  const plan = [{ name: 'conformance', cases: all.map(({ id }) => id) }]
  return Array.from({ length: SHARDS }, (_, at) => {
    const cases = all.filter((_, index) => index % SHARDS === at)
    const shard = {
      index: at + 1,
      of: SHARDS,
      replay: REPLAY,
      flags: [],
      targetKind: 'reference' as const,
      whole: true,
      plan,
      baseline: null,
    }
    return {
      path: `shards/${at + 1}`,
      results: resultOf({ ...run, suites: [{ name: 'conformance', cases }], shard }),
      about: { schema: ABOUT_SCHEMA, replay: REPLAY, baseUrl: null, durationMs: 1, versions: [] },
    }
  })
}
