import type { Command } from 'commander'
import type { Ending } from '../runner/verdict/verdict.ts'
import type { Place } from './completion/tree.ts'
import type { Output } from './terminal/output.ts'

/** Makes a command that writes to `output` and ends as it says. */
type MakeCommand = (
  output: Output,
  finish: (ending: Ending) => void,
  /** Every command with what may follow it: all of them are loaded for it, or none when it is kept. */
  allPlaces: () => Promise<readonly Place[]>,
) => Command

interface ListedCommand {
  /** What it does, in the help of the program and its own. */
  readonly summary: string
  /** Most of what the commands import is never needed together: it is loaded for the one that is called. */
  readonly load: () => Promise<MakeCommand>
}

/** Every command, in the order of the help. */
export const COMMANDS: Readonly<Record<string, ListedCommand>> = {
  run: {
    summary: 'Run every suite under one seed, against the reference service or another implementation.',
    load: async () => (await import('./commands/run.ts')).runCommand,
  },
  init: {
    summary: 'Ask a service what it serves, and write plumbline.config.json for it.',
    load: async () => (await import('./commands/init.ts')).initCommand,
  },
  conform: {
    summary: 'Check an implementation against the specification.',
    load: async () => (await import('./commands/conform.ts')).conformCommand,
  },
  list: {
    summary: 'List the requirements of the specification, and count those without a case.',
    load: async () => (await import('./commands/list.ts')).listCommand,
  },
  explain: {
    summary: 'Explain one requirement, or one case of the suite: clause, level, cases.',
    load: async () => (await import('./commands/explain.ts')).explainCommand,
  },
  prove: {
    summary: 'Prove that every case can fail: run the suites against known-broken and known-good services.',
    load: async () => (await import('./commands/prove.ts')).proveCommand,
  },
  simulate: {
    summary:
      'Run random simulations of the reference service, or scenarios by name: faults, reorganisations, races, then correct reports.',
    load: async () => (await import('./commands/simulate.ts')).simulateCommand,
  },
  campaign: {
    summary:
      'Run random simulations, properties or conformance cases on any number of machines, over one PostgreSQL, with the result that one machine would give.',
    load: async () => (await import('./commands/campaign.ts')).campaignCommand,
  },
  property: {
    summary:
      'Check properties that must hold for any case, with generated cases, against the reference service.',
    load: async () => (await import('./commands/property.ts')).propertyCommand,
  },
  verify: {
    summary: 'Prove recordings offline: seal intact, no contradiction, and judged today as they were then.',
    load: async () => (await import('./commands/verify.ts')).verifyCommand,
  },
  sign: {
    summary: 'Sign recordings: who says when, and with which versions, that verify found them genuine.',
    load: async () => (await import('./commands/sign.ts')).signCommand,
  },
  show: {
    summary:
      'Show recordings as text: steps, exchanges, blocks, transactions, judged answers, verdict, seal.',
    load: async () => (await import('./commands/show.ts')).showCommand,
  },
  replay: {
    summary: 'Run recordings again against the reference on a fresh chain, and show the first divergence.',
    load: async () => (await import('./commands/replay.ts')).replayCommand,
  },
  sandbox: {
    summary: 'Run chain 4663 with the six venues, mining automatically, until interrupted.',
    load: async () => (await import('./commands/sandbox.ts')).sandboxCommand,
  },
  serve: {
    summary: 'Run the reference service, on a sandbox of its own or a given one, until interrupted.',
    load: async () => (await import('./commands/serve.ts')).serveCommand,
  },
  keys: {
    summary: 'Issue, revoke and list the API keys of a reference service; make a key that signs recordings.',
    load: async () => (await import('./commands/keys.ts')).keysCommand,
  },
  report: {
    summary:
      'Render a run again: report.html, summary.md, comment.md and junit.xml. The exit code is the verdict of the run.',
    load: async () => (await import('./commands/report.ts')).reportCommand,
  },
  merge: {
    summary: 'Merge the results of shards into those of the whole run. The exit code is its verdict.',
    load: async () => (await import('./commands/merge.ts')).mergeCommand,
  },
  diff: {
    summary: 'Show what is different in the second of two runs, or of two recordings.',
    load: async () => (await import('./commands/diff.ts')).diffCommand,
  },
  completion: {
    summary: 'Print the script that completes command lines in your shell.',
    load: async () => (await import('./commands/completion.ts')).completionCommand,
  },
}
