import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { optimisedAfter } from './src/host/engine.ts'

/** What counts steps of its process has one of its own: whatever else ran there would be counted too, and be slower. */
const COUNTING = ['tools/fuzz/{growEverywhere,growth}.test.ts']

/** Vitest begins with the files that took longest in the last run; where there was none, with the largest. */
export default defineConfig({
  test: {
    globalSetup: 'tools/build/forTests.ts',
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['{src,conformance,property,scenarios,bench,tools}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...COUNTING],
        },
      },
      { extends: true, test: { name: 'counting', include: COUNTING, isolate: true } },
    ],
    // Many files wait for half of their time: on time that passes, on blocks, on other processes. Two workers for each core keep
    // the cores busy; each takes some hundred megabytes.
    maxWorkers: Math.min(8, availableParallelism() * 2),
    // What a module holds is shared by the files of a worker: loading everything anew for each took a quarter of the time.
    isolate: false,
    execArgv: [
      // Room for what is young, in MB: a world that is reset leaves much behind that lived long enough to be moved before.
      '--min-semi-space-size=32',
      '--max-semi-space-size=64',
      // Most code is called a few hundred times: to optimise it costs more than it saves.
      ...optimisedAfter(2_000_000),
    ],
    // What was compiled for the last run, by the digest of each source.
    experimental: { fsModuleCache: true },
    // A limit for what hangs, and no measure of speed: a busy machine must not fail a test.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    restoreMocks: true,
    unstubEnvs: true,
    // What a test runs is not what a CI job is about.
    env: { GITHUB_STEP_SUMMARY: '' },
  },
})
