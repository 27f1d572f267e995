/** One row of the page. */
export interface Row {
  readonly what: string
  /** The figure of its measurement that it shows. */
  readonly figure: string
  readonly unit: string
  /** Null: it has none. */
  readonly target: string | null
  /** What it was before the work on speed, as it was said then: shown where the earlier version is not measured as well. */
  readonly before: string
}

/** Rows that one command measures. */
export interface Measurement {
  readonly id: string
  /** As a reader runs it. */
  readonly command: string
  /** Whether it is left out of a sitting that shall be short. */
  readonly isLong: boolean
  readonly rows: readonly Row[]
}

const row = (what: string, figure: string, unit: string, target: string | null, before: string): Row => ({
  ...{ what, figure, unit, before },
  target: target === null ? null : `${target} ${unit}`,
})

/** A command whose time is the figure. */
const timed = (
  id: string,
  command: string,
  target: string | null,
  before: string,
  isLong = false,
): Measurement => ({
  ...{ id, command, isLong },
  rows: [row(`\`${command}\``, 'seconds', 's', target, before)],
})

const STARTED =
  "npx plumbline conform --capabilities docs/reference.capabilities.json --start 'BUDGET_WINDOW_MS=5000 npx plumbline serve --database file:$PLUMBLINE_DIR/service.db'"

/** Everything that is measured, short commands first: an interruption costs least so. */
export const MEASUREMENTS: readonly Measurement[] = [
  {
    id: 'help',
    command: 'node bin/plumbline.mjs --help',
    isLong: false,
    rows: [row('help from a checkout', 'seconds', 's', '≤ 0.5', '4.9 s')],
  },
  {
    id: 'help-installed',
    command: 'node node_modules/plumbline/bin/plumbline.mjs --help',
    isLong: false,
    rows: [row('help from an installed package', 'seconds', 's', '≤ 0.3', '2.7 s')],
  },
  {
    id: 'install',
    command: 'npm ci',
    isLong: false,
    rows: [
      row('install a checkout, packages cached', 'seconds', 's', null, '51 s'),
      row('what it installs', 'megabytes', 'MB', null, '730 MB'),
    ],
  },
  {
    id: 'bench',
    command: 'npm run bench',
    isLong: false,
    rows: [
      row('mining 12 blocks in the world', 'mining 12 blocks', 'ms', null, '23.8 ms'),
      row('compared with an empty chain', 'mining 12 blocks / on an empty chain', '×', '≤ 2.5', '8 ×'),
      row('the raw calls of a lifecycle', 'the raw calls of a lifecycle', 'ms', '≤ 15', '41 ms'),
      row('a lifecycle / its raw calls', 'lifecycle / the same raw calls', '×', '≤ 1.25', '1.34 ×'),
      row('lifecycles a second, two worlds', 'lifecycles, two worlds', 'a second', '≥ 100', '36'),
      row('random simulations, one worker', 'random simulations, one worker', 'a second', '≥ 8', '1.5'),
      row('random simulations, two workers', 'random simulations, two workers', 'a second', '≥ 15', '2.7'),
      row('reset of a world with its service, p95', 'reset of the world, p95', 'ms', '≤ 5', '15 to 17 ms'),
    ],
  },
  timed('conform', 'npx plumbline conform reference', '≤ 15', '30 s'),
  timed('run', 'npx plumbline run --seed 1', '≤ 30', '58 s'),
  {
    id: 'started',
    command: STARTED,
    isLong: false,
    rows: [row('the suite on a started service', 'seconds', 's', '≤ 30', '159 s')],
  },
  timed('test', 'npm test', '≤ 90', '237 s, once, for 5,251 tests, of which one failed by chance'),
  timed('determinism', 'npm run determinism', null, '51 s', true),
  timed('prove', 'npx plumbline prove', null, '260 s', true),
  timed('check-image', 'npm run check:image', null, '77 s', true),
  timed('check-installed', 'npm run check:installed', null, 'about 240 s', true),
  timed('check-guides', 'npm run check:guides:run', null, '685 s', true),
  { id: 'curves', command: 'npm run bench -- --curves', isLong: true, rows: [] },
  { id: 'peers', command: 'npm run bench -- --peers', isLong: true, rows: [] },
]

/** How often a command is run whose first run took so long. */
export function samplesFor(tookS: number): number {
  return tookS < 60 ? 5 : 3
}
