import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** `npm run mutation`. What is mutated, what is not, and why: docs/mutation.md. */
export default {
  mutate: [
    'src/service/**/*.ts',
    '!src/service/**/*.test.ts',
    '!src/service/**/testing/**',
    // How a process of the service is started, told and watched: the suites have it in their own process.
    '!src/service/{main,config}.ts',
    '!src/service/system/**',
    '!src/service/http/{docs,requestLog,statuses}.ts',
    // Another database than the one that the suites run on.
    '!src/service/store/{failures,libsql,openStore,postgres}.ts',
  ],
  plugins: ['./tools/mutation/plugins.ts'],
  ignorers: ['silent-places'],
  testRunner: 'suite',
  testRunnerNodeArgs: ['--import', 'tsx'],
  checkerNodeArgs: ['--import', 'tsx'],
  coverageAnalysis: 'perTest',
  concurrency: 1,
  // The runner bounds every check itself; this is for what escapes its watchdog.
  timeoutMS: 30_000,
  timeoutFactor: 4,
  dryRunTimeoutMinutes: 10,
  reporters: ['journal', 'json', 'html', 'clear-text'],
  clearTextReporter: { reportMutants: false, reportTests: false },
  jsonReporter: { fileName: 'reports/mutation/mutation.json' },
  htmlReporter: { fileName: 'reports/mutation/mutation.html' },
  tempDirName: join(tmpdir(), 'plumbline-mutation'),
  cleanTempDir: 'always',
  warnings: { slow: false },
}
