import { baselineCommand } from './commands/baseline.ts'
import { campaignCommand } from './commands/campaign.ts'
import { clientCommand } from './commands/client.ts'
import { completionCommand } from './commands/completion.ts'
import { conformCommand } from './commands/conform.ts'
import { diffCommand } from './commands/diff.ts'
import { explainCommand } from './commands/explain.ts'
import { initCommand } from './commands/init.ts'
import { keysCommand } from './commands/keys.ts'
import { listCommand } from './commands/list.ts'
import { mergeCommand } from './commands/merge.ts'
import { propertyCommand } from './commands/property.ts'
import { proveCommand } from './commands/prove.ts'
import { replayCommand } from './commands/replay.ts'
import { reportCommand } from './commands/report.ts'
import { runCommand } from './commands/run.ts'
import { sandboxCommand } from './commands/sandbox.ts'
import { serveCommand } from './commands/serve.ts'
import { showCommand } from './commands/show.ts'
import { signCommand } from './commands/sign.ts'
import { simulateCommand } from './commands/simulate.ts'
import { verifyCommand } from './commands/verify.ts'
import type { DeclareCommand } from './terminal/output.ts'

/** Every command, in the order of the help. */
export const COMMANDS: Readonly<Record<string, DeclareCommand>> = {
  run: runCommand,
  init: initCommand,
  conform: conformCommand,
  client: clientCommand,
  list: listCommand,
  explain: explainCommand,
  prove: proveCommand,
  simulate: simulateCommand,
  campaign: campaignCommand,
  property: propertyCommand,
  verify: verifyCommand,
  sign: signCommand,
  show: showCommand,
  replay: replayCommand,
  sandbox: sandboxCommand,
  serve: serveCommand,
  keys: keysCommand,
  baseline: baselineCommand,
  report: reportCommand,
  merge: mergeCommand,
  diff: diffCommand,
  completion: completionCommand,
}
