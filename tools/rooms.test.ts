import { cruise } from 'dependency-cruiser'
import { beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../src/host/testing/temporaryFolder.ts'

const { default: rules } = await import('../.dependency-cruiser.mjs' as string)

/** Imports by file, in a tree with the names of the rooms. */
const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  'src/spec/wire.ts': [],
  'src/oracles/index.ts': ['src/spec/wire.ts'],
  'src/service/testing.ts': ['src/service/quote/quoter.ts'],
  'src/service/quote/quoter.ts': ['src/spec/wire.ts'],
  'src/runner/run/run.ts': ['src/oracles/index.ts'],
  'conformance/index.ts': ['src/runner/run/run.ts'],
  'conformance/cases.ts': ['src/service/quote/quoter.ts'],
  'src/cli/suites/suites.ts': ['src/runner/run/run.ts', 'conformance/index.ts'],
  'src/cli/run.ts': ['conformance/index.ts'],
  'src/cli/judging.ts': ['src/oracles/index.ts'],
  'src/runner/suites.ts': ['conformance/index.ts'],
  'src/oracles/quote.ts': [],
  'property/quote.ts': ['src/oracles/quote.ts'],
  'tools/report.ts': ['src/spec/wire.ts'],
  'tools/judging.ts': ['src/oracles/index.ts'],
  'tools/inside.ts': ['src/service/quote/quoter.ts'],
}

const folder = temporaryFolder()
beforeAll(() => {
  for (const [file, imports] of Object.entries(IMPORTS)) {
    const up = '../'.repeat(file.split('/').length - 1)
    folder.write(file, imports.map((to) => `import '${up}${to}'\n`).join(''))
  }
})

it('refuses imports that break the map of the rooms, and no others', async () => {
  const { tsConfig: _, ...options } = rules.options
  const { output } = await cruise(['src', 'conformance', 'property', 'tools'], {
    ...options,
    baseDir: folder.path,
    validate: true,
    ruleSet: { forbidden: rules.forbidden },
  })
  const { violations } = (output as Exclude<typeof output, string>).summary
  expect(violations.map(({ from, rule }) => `${from}: ${rule.name}`).sort()).toEqual([
    'conformance/cases.ts: two entries of the service',
    'property/quote.ts: the judges by their entry',
    'src/cli/judging.ts: room src/cli',
    'src/cli/run.ts: one folder composes the suites',
    'src/runner/suites.ts: room src/runner',
    'tools/inside.ts: room tools',
    'tools/inside.ts: two entries of the service',
    'tools/judging.ts: room tools',
  ])
})
