import { readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { readRun } from '../../../src/cli/report/readRun.ts'
import { reportFor } from '../../../src/cli/report/writeReport.ts'
import { readBaseline, writeBaseline } from '../../../src/cli/run/baselineFile.ts'
import type { RunOptions } from '../../../src/cli/run/options.ts'
import { readCapabilitiesFile, readKeysFile } from '../../../src/cli/run/targetFiles.ts'
import { toAnnotations } from '../../../src/reporting/annotations.ts'
import { BASELINE_SCHEMA, type Baseline } from '../../../src/reporting/baselineFormat.ts'
import { runComment, runSummary } from '../../../src/reporting/documents/run.ts'
import { renderReport } from '../../../src/reporting/html/render.ts'
import { toJunit } from '../../../src/reporting/junit.ts'
import { readFailures } from '../../../src/runner/families/failures.ts'
import type { Json } from '../../../src/runner/families/shrinkJson.ts'
import { parseScenarios } from '../../../src/runner/scenarios/scenarioFile.ts'
import { readManifestFile, writeManifestFile } from '../../../src/sandbox/manifestFile.ts'
import type { Manifest } from '../../../src/spec/manifest.ts'
import { CAPABILITIES } from '../../../src/spec/requirements/index.ts'
import { KEYS_SCHEMA } from '../../../src/targets/description.ts'
import { assert, type Target } from '../target.ts'
import { assertRefusal, fileTarget } from './files.ts'

/** Returns a file of this project as JSON. */
export function committed(path: string): Json {
  return JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')) as Json
}

const ADDRESS = `0x${'11'.repeat(20)}`
/** Code in Markdown, in which markup has no effect. */
const MARKDOWN_CODE = /(?<![\\`])(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g
const COMMON = { editsText: true } as const

export const manifestTarget = (): Target =>
  fileTarget({
    ...COMMON,
    bases: { manifest: committed('tools/fuzz/bases/manifest.json') },
    words: ['plumbline-sandbox/2', 4663, ADDRESS, 'http://127.0.0.1:1'],
    read: (file) => readManifestFile(file),
    write: (file, content) => writeManifestFile(file, content as Manifest),
  })

export const capabilitiesTarget = (): Target =>
  fileTarget({
    ...COMMON,
    bases: {
      reference: committed('docs/reference.capabilities.json'),
      whole: {
        schema: 'plumbline-capabilities/1',
        capabilities: [...CAPABILITIES],
        market: {
          from: 'ETH',
          to: 'USDG',
          amount: 1,
          sender: ADDRESS,
          outside: {
            ...{ symbol: 'X', address: ADDRESS, decimals: 6 },
            ...{ against: 'ETH', amountSold: 1, amountSpent: 2 },
          },
        },
        confirmBudget: { reports: 120, windowS: 60 },
        partnerReport: { path: '/report', fields: { confirmedSwaps: 'totals.swaps' } },
        revokeKey: 'revoke {keyId}',
      },
    },
    words: [...CAPABILITIES, '{keyId}', '/a', 'a.b.c', '{keyId}{keyId}'],
    read: readCapabilitiesFile,
    // Reading binds the command to the folder of the file.
    write: null,
  })

export const keysTarget = (): Target =>
  fileTarget({
    ...COMMON,
    bases: { keys: committed('docs/example.keys.json') },
    words: ['individual', 'legacy', 'key-one', 'a;b', '"', '\\'],
    read: readKeysFile,
    write: (file, keys) => writeFileSync(file, JSON.stringify({ schema: KEYS_SCHEMA, keys })),
  })

const EMPTY: Baseline = { schema: BASELINE_SCHEMA, entries: [] }
const KNOWN_FAILURE = {
  case: 'confirm.depth',
  requirement: 'confirm.depth.twelve',
  fingerprint: '0123456789abcdef',
  reason: 'known',
  link: 'https://example.com/1',
  expires: '2030-01-31',
}

export const baselineTarget = (): Target =>
  fileTarget({
    ...COMMON,
    bases: {
      empty: EMPTY,
      one: { schema: BASELINE_SCHEMA, entries: [KNOWN_FAILURE] },
    },
    words: ['confirm.depht', 'tx.data', 'https://[', '2026-02-30', '2030-12-31', 'fedcba9876543210'],
    read: (file) => readBaseline({ baseline: file } as RunOptions, [KNOWN_FAILURE.case])?.known,
    write: (file, content) => writeBaseline(content as Baseline, file),
  })

export const failureTarget = (): Target =>
  fileTarget({
    ...COMMON,
    bases: {
      kept: committed('property/failures/input.what-is-accepted-is-whole.1.json'),
      interleaving: committed('property/failures/interleaving.some-order-explains-the-answers.1.json'),
    },
    words: ['plumbline-failure/1', 'tx.data'],
    read: (file) => {
      const [failure] = readFailures(dirname(file))
      return { ...failure, file: null }
    },
    // Written failures contain the versions of the programs; read ones do not.
    write: null,
  })

export const resultsTarget = (): Target =>
  fileTarget({
    ...COMMON,
    bases: { run: committed('tools/fuzz/bases/results.json') },
    // biome-ignore format: values side by side
    words: [
      'pass', 'fail', 'inconclusive', 'tx.data', 'target', 'harness', '<script>alert(1)</script>', ']]>', '::error::', '\u001b[2J',
    ],
    read: (file) => {
      const { results } = readRun(file)
      const report = reportFor(results)
      const markdown = [runSummary(report), runComment(report)]
      const prose = markdown.map((text) => text.replaceAll(MARKDOWN_CODE, ''))
      for (const text of [renderReport(report), ...prose, toJunit(results)])
        assert(!text.includes('<script>alert'), 'a report has markup of a result in it')
      toAnnotations(results)
      return results
    },
  })

const NAMES = [
  'reorg.after-recorded',
  'window.around-the-end',
  'replacement.changed',
  'attribution.same-report-between-reads',
]

/** Scenario files as a person writes them. */
export const scenarioTarget = (): Target => ({
  bases: Object.fromEntries(
    NAMES.map((name) => [name, committed(`scenarios/${name.replace('.', '/')}.json`)]),
  ),
  // biome-ignore format: values side by side
  words: ['quote', 'build', 'confirm', 'meanwhile', 'mine', 'tx.data', '$' + '{name}', 'x$' + '{name}', 'alice', 'venue_a'],
  editsText: true,
  run: async (text) => {
    try {
      const scenarios = parseScenarios('input.json', 'family.input', text)
      for (const { id, ...scenario } of scenarios) {
        const [again] = parseScenarios('input.json', id, JSON.stringify(scenario))
        assert(
          isDeepStrictEqual(again, { id, ...scenario }),
          'a scenario that was written is read as another one',
        )
      }
    } catch (error) {
      assertRefusal(error, 'input.json')
    }
  },
})
