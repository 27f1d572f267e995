/** Rooms that the simulation is made of. */
const SIMULATION = [
  'src/spec',
  'src/host',
  'src/fixtures',
  'src/venues-mock',
  'src/sandbox',
  'src/service',
  'src/oracles',
]

/** Rooms that run cases and keep their results. */
const RUNNING = [
  'src/simulation',
  'src/client',
  'src/reporting',
  'src/recordings',
  'src/targets',
  'src/runner',
]

/** Rooms that can be measured or attacked from outside the suites. */
const MEASURED = [
  'src/spec',
  'src/fixtures',
  'src/sandbox',
  'src/service',
  'src/oracles',
  ...RUNNING,
  'src/cli',
]

/** The cases: data and functions for the runner. Only the entry points (cli, api, bench, tools) import them. */
const SUITES = ['conformance', 'property', 'scenarios']

/**
 * The rooms that each room may import. `npm run check` refuses every other import from one room into another; a new room needs
 * its own line.
 */
export const mayImport = {
  'src/spec': [],
  'src/host': ['src/spec'],
  'src/fixtures': ['src/spec'],
  'src/service': ['src/spec'],
  'src/venues-mock': ['src/spec', 'src/fixtures'],
  'src/sandbox': ['src/spec', 'src/host', 'src/fixtures', 'src/venues-mock'],
  'src/evm': ['src/spec', 'src/fixtures', 'src/venues-mock', 'src/sandbox'],
  'src/oracles': ['src/spec'],
  'src/simulation': SIMULATION,
  'src/client': [...SIMULATION, 'src/simulation'],
  'src/reporting': ['src/spec'],
  'src/recordings': [...SIMULATION, 'src/evm', 'src/simulation', 'src/reporting'],
  'src/targets': [...SIMULATION, 'src/simulation', 'src/client'],
  'src/runner': [
    ...SIMULATION,
    'src/simulation',
    'src/client',
    'src/reporting',
    'src/recordings',
    'src/targets',
  ],
  'src/campaign': [
    'src/spec',
    'src/host',
    'src/sandbox',
    'src/simulation',
    'src/reporting',
    'src/recordings',
    'src/runner',
  ],
  conformance: [...SIMULATION, 'src/simulation', 'src/client', 'src/targets', 'src/runner'],
  property: [...SIMULATION, 'src/simulation', 'src/targets', 'src/runner'],
  scenarios: ['src/spec', 'src/fixtures', 'src/simulation', 'src/oracles', 'src/targets', 'src/runner'],
  'src/cli': [
    'src/spec',
    'src/host',
    'src/fixtures',
    'src/sandbox',
    'src/service',
    'src/campaign',
    ...RUNNING,
    ...SUITES,
  ],
  'src/api': ['src/spec', 'src/fixtures', 'src/sandbox', 'src/oracles', ...RUNNING, 'src/cli'],
  bench: [...MEASURED, 'src/venues-mock', ...SUITES],
  tools: ['src/spec', 'src/host', 'src/campaign', ...RUNNING, 'src/cli', ...SUITES],
  // The fuzzer attacks everything that reads untrusted data.
  'tools/fuzz': ['src/host', ...MEASURED],
}

const inside = (room) => `^${room}/`
/** Tests may create any world they need; only the code they test obeys the rooms. */
const tests = '\\.test\\.ts$'

/** Starts a private PostgreSQL for tests. */
const TEST_DATABASES = '^src/service/store/testing/databases\\.ts$'

/** Returns the rooms within a room: each has its own line and does not belong to the outer room. */
const within = (room) =>
  Object.keys(mayImport)
    .filter((other) => other.startsWith(`${room}/`))
    .map(inside)

const rooms = Object.entries(mayImport).map(([room, allowed]) => ({
  name: `room ${room}`,
  comment: `${room} may import ${allowed.length === 0 ? 'no other room' : allowed.join(', ')}.`,
  severity: 'error',
  from: { path: inside(room), pathNot: [tests, TEST_DATABASES, ...within(room)] },
  to: {
    path: '^(src|conformance|property|scenarios|bench|tools)/',
    pathNot: [inside(room), ...allowed.map(inside)],
  },
}))

export default {
  forbidden: [
    ...rooms,
    {
      name: 'spec is zod and leven only',
      comment:
        'The specification as code depends only on its schema library, and on leven, which finds the intended word.',
      severity: 'error',
      from: { path: inside('src/spec'), pathNot: tests },
      to: { dependencyTypes: ['npm', 'npm-dev', 'npm-peer', 'core'], pathNot: 'node_modules/(zod|leven)/' },
    },
    {
      name: 'two entries of the service',
      comment:
        'src/service/main.ts starts the service (cli only); src/service/testing.ts is its test interface. All else is inside.',
      severity: 'error',
      from: {
        path: '^(src|conformance|property|scenarios|bench|tools)/',
        pathNot: [inside('src/service'), tests],
      },
      to: { path: inside('src/service'), pathNot: ['^src/service/(main|testing)\\.ts$', TEST_DATABASES] },
    },
    {
      name: 'only the command line starts the service as a program',
      comment: 'Everything else runs it in process, through src/service/testing.ts.',
      severity: 'error',
      from: { pathNot: ['^src/(service|cli)/', tests] },
      to: { path: '^src/service/main\\.ts$' },
    },
    {
      name: 'one folder composes the suites',
      comment: 'The command line gets the suites from src/cli/suites; simulations get only their family.',
      severity: 'error',
      from: {
        path: inside('src/cli'),
        pathNot: [tests, '^src/cli/(suites|testing)/'],
      },
      to: { path: '^(conformance|property|scenarios)/' },
    },
    {
      name: 'the API shares three files with the command line',
      comment: 'It composes the suites and finds known-broken services in the same way; it uses no command.',
      severity: 'error',
      from: { path: inside('src/api'), pathNot: tests },
      to: {
        path: inside('src/cli'),
        pathNot: '^src/cli/suites/(clientSuite|conformanceSuite|loadSeams)\\.ts$',
      },
    },
    {
      name: 'the judges by their entry',
      comment:
        'Suites, runner and recordings call judgeQuote, judgeBuild and judgeConfirm from src/oracles/index.ts, and nothing below.',
      severity: 'error',
      from: { pathNot: [inside('src/oracles'), '^src/api/oracles\\.ts$', tests] },
      to: { path: inside('src/oracles'), pathNot: '^src/oracles/index\\.ts$' },
    },
    {
      name: 'one file starts Anvil',
      comment: '@viem/anvil is archived upstream: only src/sandbox/anvil.ts may know it.',
      severity: 'error',
      from: { pathNot: '^src/sandbox/anvil\\.ts$' },
      to: { path: 'node_modules/@viem/anvil' },
    },
    {
      name: 'one room knows the second EVM',
      comment:
        'EthereumJS takes a quarter of a second to load: only code that executes recordings loads src/evm.',
      severity: 'error',
      from: { pathNot: inside('src/evm') },
      to: { path: 'node_modules/@ethereumjs/' },
    },
    {
      name: 'the service is never tested through itself',
      comment: 'The second oracle and the simulation stay out of the service, tests excepted.',
      severity: 'error',
      from: { path: inside('src/service'), pathNot: tests },
      to: { path: '^src/(fixtures|venues-mock|sandbox|simulation|oracles|targets|recordings|runner)/' },
    },
    {
      name: 'one place decides exit codes',
      comment:
        'Commands end with a verdict; only src/runner/verdict/exitCode.ts turns it into a number, for src/cli/main.ts.',
      severity: 'error',
      from: { path: '^src/(cli|api|reporting)/', pathNot: [tests, '^src/cli/main\\.ts$'] },
      to: { path: '^src/runner/verdict/exitCode\\.ts$' },
    },
    {
      name: 'no cycles',
      comment: 'Dependencies point one way, including those on types only.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'every import resolves',
      comment: 'An import that cannot be resolved would escape every rule above.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
}
