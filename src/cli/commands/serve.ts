import { Command } from 'commander'
import type { ServeOptions } from '../serving/runService.ts'
import type { DeclareCommand } from '../terminal/output.ts'
import { port } from '../wholeNumber.ts'

/** The variables that the service reads, in the order of the guide. A copy: the help does not load the service. */
const VARIABLES = [
  'HOST',
  'PORT',
  'DATABASE_URL',
  'RPC_URL',
  'LOG_LEVEL',
  'DOCS_PAGE',
  'METRICS',
  'BUDGET_REQUESTS',
  'BUDGET_WINDOW_MS',
  'BLOCK_TIME_MS',
  'BUILD_RETENTION_DAYS',
  'RUNNING_MAX',
  'WAITING_MAX',
  'WAIT_MS',
  'KEY_BUDGET_REQUESTS',
  'KEY_BUDGET_WINDOW_MS',
  'CONNECTIONS_MAX',
  'REQUEST_TIMEOUT_MS',
  'SHUTDOWN_TIMEOUT_MS',
]

export const serveCommand: DeclareCommand = (output) => {
  return new Command('serve')
    .description('Run the reference service, on a sandbox of its own or a given one, until interrupted.')
    .option(
      '--sandbox <file>',
      'the manifest of a running sandbox; otherwise PLUMBLINE_SANDBOX, or its own one',
    )
    .option('--port <port>', 'where the service listens; otherwise PORT, or 4663', port)
    .option('--database <url>', 'file:PATH or postgres://…; otherwise DATABASE_URL, or memory')
    .option(
      '--fault <name...>',
      'inject faults in front of it, to try out a client: other-chain, build-502, confirm-409, …',
    )
    .option('--json', 'print where everything is, and the keys, as one line of JSON')
    .addHelpText(
      'after',
      `\nVariables (docs/service.md): ${VARIABLES.join(', ')}, PLUMBLINE_SANDBOX, PLUMBLINE_KEYS (a file of keys to know).\n\nExamples:\n  plumbline serve\n  plumbline serve --sandbox sandbox.json --database file:partners.db --port 8080`,
    )
    .action(async (options: ServeOptions) => {
      const { runService } = await import('../serving/runService.ts')
      await runService(options, output)
    })
}
