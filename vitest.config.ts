import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { optimisedAfter } from './src/host/engine.ts'

/**
 * The files that take longest. Vitest begins with the largest ones, so that of these the short ones would begin last, and one
 * processor would work alone at the end.
 */
const LONGEST = [
  'src/cli/campaignSuites.test.ts',
  'src/cli/conformOutside.test.ts',
  'property/suite.test.ts',
  'src/cli/recordOutside.test.ts',
  'conformance/conformance.test.ts',
  'src/cli/campaign.test.ts',
  'src/cli/hostileTargets.test.ts',
  'src/cli/report/reportPage.test.ts',
  'src/cli/propertiesOutside.test.ts',
  'src/cli/conform.test.ts',
  'scenarios/golden.test.ts',
  'src/service/store/storeProcesses.test.ts',
  'src/cli/hostileText.test.ts',
  'src/recordings/record/recordScript.test.ts',
  'src/cli/exitCodes.test.ts',
  'src/cli/conformLeftovers.test.ts',
  'src/runner/families/shrink.test.ts',
  'src/campaign/steeredRounds.test.ts',
  'src/campaign/campaign.test.ts',
  'src/cli/report/selfCheckPage.test.ts',
  'tools/fuzz/fuzz.test.ts',
  'property/history/family.test.ts',
  'src/recordings/browser/bundle.test.ts',
  'src/recordings/verify/forgeries.test.ts',
  'src/cli/campaign/watch/watch.test.ts',
  'src/cli/conformPython.test.ts',
  'tools/fuzz/growth.test.ts',
  'tools/action/action.test.ts',
  'src/cli/twoServices.test.ts',
  'src/cli/simulate.test.ts',
  'src/evm/agreement.test.ts',
  'src/cli/conformEnds.test.ts',
  'src/venues-mock/agreement/executions.test.ts',
  'scenarios/scenarios.test.ts',
  'conformance/proof.test.ts',
  'src/cli/sharedRun.test.ts',
  'src/venues-mock/agreement/quotes.test.ts',
  'src/recordings/execute/executeRecording.test.ts',
  'src/service/misread.test.ts',
  'src/simulation/crashes.test.ts',
  'bench/growth.test.ts',
  'src/recordings/verify/inventions.test.ts',
  'src/venues-mock/movers.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const index = LONGEST.findIndex((path) => moduleId.endsWith(`/${path}`))
      return index < 0 ? LONGEST.length : index
    }
    return (await super.sort(files)).toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}

export default defineConfig({
  test: {
    globalSetup: 'tools/build/forTests.ts',
    include: ['{src,conformance,property,scenarios,bench,tools}/**/*.test.ts'],
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
    sequence: { sequencer: LongestFirst },
    // A limit for what hangs, and no measure of speed: a busy machine must not fail a test.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    restoreMocks: true,
    unstubEnvs: true,
    // What a test runs is not what a CI job is about.
    env: { GITHUB_STEP_SUMMARY: '' },
  },
})
