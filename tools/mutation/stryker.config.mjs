import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** `npm run mutation`. docs/mutation.md says what is mutated and why the rest is not. */
export default {
  mutate: [
    'src/service/**/*.ts',
    '!src/service/**/*.test.ts',
    '!src/service/**/testing/**',
    // The suites run the service in their own process, with the simulation's ports.
    '!src/service/{main,config,inProcess,seams,testing}.ts',
    '!src/service/system/**',
    '!src/service/http/{docs,requestLog,statuses}.ts',
    // The simulation opens its one database once, and injects faults above it.
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
