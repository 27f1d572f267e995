import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { optimisedAfter } from './src/host/engine.ts'

/** Tests that count the steps of their process need their own: other work there would be counted too, and be slower. */
const COUNTING = ['tools/fuzz/growth.test.ts']

/** Vitest starts with the files that took longest in the last run, or with the largest ones if there was none. */
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
    // Many files wait for half of their time: for timers, blocks, or other processes. Two workers per core keep the cores busy;
    // each takes some hundred megabytes.
    maxWorkers: Math.min(8, availableParallelism() * 2),
    // Files of a worker share loaded modules: loading everything again for each file took a quarter of the time.
    isolate: false,
    execArgv: [
      // Size of the young generation in MB: resetting a world leaves garbage that lived long enough to be promoted before.
      '--min-semi-space-size=32',
      '--max-semi-space-size=64',
      // Most code is called a few hundred times: optimising it costs more than it saves.
      ...optimisedAfter(2_000_000),
    ],
    // Reuses code compiled in the last run, by the digest of each source.
    experimental: { fsModuleCache: true },
    // A limit for hanging tests, not a measure of speed: a busy machine must not fail a test.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    restoreMocks: true,
    unstubEnvs: true,
    // Runs inside tests must not write to the summary of a CI job.
    env: { GITHUB_STEP_SUMMARY: '' },
  },
})
