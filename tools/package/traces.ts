/** A command, and the files that it may leave in its working directory in addition to reports/. */
export interface Trace {
  readonly words: readonly string[]
  readonly exitCode: number
  /** Files that the command is asked to write. */
  readonly writes: readonly string[]
  /** For a command that runs until Ctrl-C: its output when it is up, or the file that it writes then. */
  readonly up?: RegExp | string
}

const trace = (words: readonly string[], exitCode = 0, writes: readonly string[] = []): Trace => ({
  words,
  exitCode,
  writes,
})

/** Exit code of a shell for a program that Ctrl-C ended. */
export const INTERRUPTED = 130
/** The file in which a started service writes its process id. */
export const SERVICE_PID = 'service.pid'

/** The package's reference service, started like a third-party service. */
const SERVICE = 'npx plumbline serve'

/** Every command; a later one may use what an earlier one wrote. */
export const TRACES: readonly Trace[] = [
  trace(['run', '--only', 'lifecycle.venue_a', 'scenario.window']),
  trace(['conform', 'reference', '--only', 'confirm.depth']),
  trace(['client', '--start', 'exit 3', '--only', 'client.swap.native', '--strict'], 1),
  trace(
    [
      'conform',
      'reference',
      '--only',
      'confirm.depth',
      '--defect',
      'confirm-races.cached-head',
      '--out',
      'reports/broken',
    ],
    1,
  ),
  trace(
    [
      ...['baseline', 'add', 'reports/broken', '--reason', 'it is known'],
      ...['--link', 'https://example.com/issues/1', '--expires', '2099-12-31'],
    ],
    0,
    ['plumbline.baseline.json'],
  ),
  trace(['list', '--json']),
  trace(['explain', 'confirm.pending']),
  trace(['prove', '--only', 'confirm.match.value']),
  trace(['simulate', 'depth.*', 'window.*', '--workers', '2']),
  trace(['simulate', 'window.*', '--record', 'made', '--trace', 'trace.ndjson'], 0, ['made', 'trace.ndjson']),
  trace(['property', '--only', 'quote.delta-from-net']),
  // An injected defect is found, shrunk and kept in the user's folder, not in the package.
  trace(
    [
      'property',
      '--only',
      'quote.delta-from-net',
      '--defect',
      'alternatives.delta-from-the-entry-before',
      '--failures',
      'kept',
    ],
    1,
    ['kept'],
  ),
  trace(['campaign', 'run', '--seeds', '1..2', '--workers', '1']),
  trace(['campaign', 'run', '--seeds', '1..9', '--defect', 'confirm.repeat-409', '--stop-on-failure'], 1),
  // Nothing listens on that port: the command reports that, and is inconclusive.
  trace(['campaign', 'watch', '3f2a9c01', '--database-url', 'postgres://127.0.0.1:9/none'], 3),
  trace(['campaign', 'run', '--seeds', '1..1', '--suite', 'conform', '--only', 'confirm.depth']),
  trace(['verify', 'made']),
  trace(['keys', 'signing', 'sign.key'], 0, ['sign.key', 'sign.key.pub']),
  trace(['sign', 'made', '--key', 'sign.key', '--no-execute'], 0, ['made']),
  trace(['verify', 'made', '--signer', 'sign.key.pub', '--no-execute'], 0, ['made']),
  trace(['replay', 'made']),
  trace(['show', 'made']),
  trace(['report', 'reports/latest']),
  trace(['diff', 'reports/latest', 'reports/latest']),
  ...['1', '2'].map((part) =>
    trace(
      [
        ...['conform', 'reference', '--only', 'quote.route.*', 'quote.amount.*'],
        ...['--shard', `${part}/2`, '--out', `shards/${part}`],
      ],
      0,
      ['shards'],
    ),
  ),
  trace(['merge', 'shards']),
  trace(['keys', 'issue', '--partner', 'acme', '--database', 'file:acme.db'], 0, ['acme.db']),
  trace(['keys', 'list', '--database', 'file:acme.db'], 0, ['acme.db']),
  trace(['completion', 'bash']),
  { ...trace(['sandbox', '--manifest', 'sandbox.json'], 0, ['sandbox.json']), up: /stop it with Ctrl-C/ },
  { ...trace(['serve']), up: /service at http/ },
  // Interrupted: the started service must end, and its directory must be removed.
  {
    ...trace(['conform', '--start', `echo $$ > ${SERVICE_PID}; exec sleep 600`], INTERRUPTED, [SERVICE_PID]),
    up: SERVICE_PID,
  },
  trace(['init', '--start', SERVICE], 0, [
    'plumbline.config.json',
    'plumbline.config.schema.json',
    'plumbline.capabilities.json',
  ]),
  // These use the files that init wrote.
  { ...trace(['conform', '--only', 'quote.amount.positive', '--watch']), up: /waiting for a change\n/ },
  { ...trace(['conform', '--only', 'quote.amount.positive', '--keep-running']), up: /variables\.sh\n/ },
]
