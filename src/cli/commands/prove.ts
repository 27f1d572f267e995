import { Command } from 'commander'
import type { ProveOptions } from '../proof/proofRequest.ts'
import { withOptions } from '../run/options.ts'
import type { DeclareCommand } from '../terminal/output.ts'
import { wholeNumber } from '../wholeNumber.ts'

export const proveCommand: DeclareCommand = (output, finish) => {
  const command = new Command('prove')
    .description(
      'Prove that every case can fail: run the suites against known-broken and known-good services.',
    )
    .option('--without <glob...>', 'leave these cases out, to see what only they prove')
    .option('--cases', 'the cases against the defects')
    .option('--scenarios', 'the scenarios against the defects that no case can kill')
    .option('--properties', 'the properties against the defects that each must kill')
    .option('--variants', 'the cases against the conforming variants')
    .option('--defects', 'short for --cases --scenarios')
    .option('--full', 'run every case of its requirement against a defect, even after one has killed it')
    .option(
      '--drawn <count>',
      'run this many broken services that a generator draws; --only drawn.* chooses among them',
      wholeNumber,
    )
  return withOptions(command, [
    ['only', { description: 'only these defects, requirements, properties or variants; * matches anything' }],
    ['seed', { description: 'decides what --drawn draws' }],
    ['out', { description: 'where the matrix goes', default: 'reports/latest-prove' }],
    ['json', { description: 'print the matrix as JSON' }],
    ['quiet', { description: 'print nothing but what is not proven' }],
  ])
    .addHelpText(
      'after',
      '\nWithout a choice of --cases, --scenarios, --properties and --variants, all four are run.\n\nExamples:\n  plumbline prove\n  plumbline prove --only "confirm.match.*"\n  plumbline prove --without "build.minimum.*"\n  plumbline prove --properties\n  plumbline prove --variants',
    )
    .action(async (options: ProveOptions) => {
      const { runProof } = await import('../proof/runProof.ts')
      finish(await runProof(options, output))
    })
}
