import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{src,conformance,property,scenarios,tools}/**/*.test.ts'],
    // Each file boots its own Anvil; two cores carry two of them.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
})
