import { statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { casesOf } from '../reporting/results.ts'
import { runSuites } from '../runner/run/run.ts'
import { EXIT, exitCodeOf } from '../runner/verdict/exitCode.ts'
import { HOSTILE_ANSWERS } from '../targets/testing/hostileAnswers.ts'
import { type HostileMode, startHostileTarget } from '../targets/testing/hostileTarget.ts'
import { writeRun } from './report/writeRun.ts'
import { showOutcome } from './run/show.ts'
import { conformanceSuite } from './suites/conformanceSuite.ts'
import { outputProblems } from './testing/outputProblems.ts'
import { plumbline } from './testing/plumbline.ts'

const folder = temporaryFolder()
const MODES = Object.keys(HOSTILE_ANSWERS) as HostileMode[]
const takesForEver = (mode: HostileMode) => mode.endsWith('forever')
const MIB = 1024 * 1024
const SERVES = 'quote.serves.slippage.50'
const ONLY = new Set([SERVES, 'service.json-bodies'])
/** A mode that responds, used after each other mode: after three requests without a response, none is sent any more. */
const AGAIN = 'body-null'

/** Runs two cases for each mode in one run. Returns the result, and the problems of its output. */
async function attack(modes: readonly HostileMode[], timeoutS: number) {
  const templates = conformanceSuite.cases(ONLY)
  const modeOf = new Map<string, HostileMode>()
  const cases = modes.flatMap((mode, index) => {
    const renamed = templates.map((template) => ({ ...template, id: `${template.id}.${mode}` }))
    for (const { id } of renamed) modeOf.set(id, mode)
    return [
      ...renamed,
      ...templates
        .filter(({ id }) => id === SERVES)
        .map((template) => ({ ...template, id: `again.${index}` })),
    ]
  })
  let now: HostileMode = AGAIN
  const target = await startHostileTarget(() => now)
  try {
    const outcome = await runSuites({
      ...{ command: 'conform', suites: [{ name: 'conformance', cases: () => cases }], seed: 1, timeoutS },
      ...{ target: { url: target.url }, options: { profile: 'http' }, replay: ({ id }) => id },
      progress: {
        ...{ start: () => {}, step: () => {}, notice: () => {}, end: () => {} },
        running: ([id]) => {
          if (id !== undefined) now = modeOf.get(id) ?? AGAIN
        },
      },
    })
    const { result } = outcome
    const out = folder.at(`after ${modes[0]}`)
    const run = { replay: '', baseUrl: null, durationMs: 1 }
    await writeRun(outcome, out, { run, change: null, record: null }, { out: () => {}, err: () => {} })
    const printed: string[] = []
    const keep = (line: string) => printed.push(line)
    const shown = { json: null, service: null, change: null }
    await showOutcome(outcome, { verbose: true, profile: 'http' }, shown, { out: keep, err: keep })
    return { result, problems: outputProblems(out, exitCodeOf(result.verdict), printed.join('\n')) }
  } finally {
    await target.stop()
  }
}

describe('no kind of response ends a run without its verdict and its report', () => {
  test('one after another', async () => {
    const ways = MODES.filter((mode) => !takesForEver(mode))
    const { result, problems } = await attack(ways, 300)
    expect(problems).toEqual([])
    const ends = casesOf(result).map(({ failure }) => `${failure?.blame}: ${failure?.message}`)
    expect(ends).toHaveLength(ways.length * 3)
    expect(ends.filter((end) => end.startsWith('harness') || end.includes('nor to the'))).toEqual([])
  })

  test('nor does a response that lasts until the end of the run', async () => {
    const attacks = await Promise.all(MODES.filter(takesForEver).map((mode) => attack([mode], 1)))
    expect(attacks.flatMap(({ problems }) => problems)).toEqual([])
  })
})

test('the largest responses leave a small report, however many cases receive them', async () => {
  const target = await startHostileTarget(() => 'hops-1-mb-empty')
  const out = folder.at('large')
  try {
    // Each shows a different response, in a result, at an open point and in its recording.
    const only = ['quote.open.*', 'auth.missing-key', 'quote.memo.keyed.from*']
    const { code } = await plumbline(
      ...['conform', '--target', target.url, '--profile', 'http', '--out', out, '--only', ...only],
    )
    expect(code).toBe(EXIT['does-not-conform'])
    const sizeOf = (name: string) => statSync(`${out}/${name}`).size
    expect(sizeOf('results.json')).toBeLessThan(2 * MIB)
    expect(sizeOf('report.html')).toBeLessThan(8 * MIB)
  } finally {
    await target.stop()
  }
})
