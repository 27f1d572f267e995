import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{src,conformance,property,scenarios,bench,tools}/**/*.test.ts'],
    // Each file boots its own Anvil. Files wait for two fifths of their time, on time that passes, on fsync and on other processes:
    // one more for every two cores works meanwhile. Each takes some hundred megabytes.
    maxWorkers: Math.min(8, Math.ceil(availableParallelism() * 1.5)),
    // What a module holds is shared by the files of a worker: loading everything anew for each took a quarter of the time.
    isolate: false,
    // A limit for what hangs, and no measure of speed: a busy machine must not fail a test.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    restoreMocks: true,
    unstubEnvs: true,
    // What a test runs is not what a CI job is about.
    env: { GITHUB_STEP_SUMMARY: '' },
  },
})
