import { join } from 'node:path'
import { Command } from 'commander'
import { writeWhole } from '../../host/writeWhole.ts'
import type { Proof } from '../../reporting/proof.ts'
import { halvesOf, mergeProofs } from '../../runner/proof/halves.ts'
import { type ProofRequest, prove } from '../../runner/proof/prove.ts'
import { PROOF_SEED } from '../../runner/proof/runCase.ts'
import { resultsOfProof } from '../../runner/proof/verdict.ts'
import { runSuites } from '../../runner/run.ts'
import type { Ending } from '../../runner/verdict.ts'
import { withWorkers } from '../../runner/workers.ts'
import { endWith } from '../ending.ts'
import type { Output } from '../output.ts'
import { runProgress } from '../progress.ts'
import { type ProveOptions, proofRequest, SHUFFLED_DEFECTS } from '../proofRequest.ts'
import { describeAlone, describeProblems, describeTotals, proofTables } from '../proveTables.ts'
import { keepResults } from '../run/keepResults.ts'
import { wholeNumber } from '../wholeNumber.ts'
import { forkWorkers } from '../workerJob.ts'

/** `plumbline prove`: runs the suites against known-broken and known-good services. */
export function proveCommand(output: Output, finish: (ending: Ending) => void): Command {
  return new Command('prove')
    .option(
      '--only <glob...>',
      'only these defects, requirements, properties or variants; * matches anything',
    )
    .option('--without <glob...>', 'leave these cases out, to see what only they prove')
    .option('--cases', 'the cases against the defects')
    .option('--scenarios', 'the scenarios against the defects that no case can kill')
    .option('--properties', 'the properties against the defects that each must kill')
    .option('--variants', 'the cases against the conforming variants')
    .option('--defects', 'short for --cases --scenarios')
    .option('--all', 'run every case against every variant')
    .option('--full', 'run every case of its requirement against a defect, also after two have killed it')
    .option(
      '--shuffle <seed...>',
      `run ${SHUFFLED_DEFECTS} defects, or those of --only, against the cases in shuffled orders: the same cases must kill`,
      seeds,
    )
    .option(
      '--drawn <count>',
      'run this many broken services that a generator draws; --only drawn.* chooses among them',
      wholeNumber,
    )
    .option('--seed <n>', 'decides what --drawn draws', wholeNumber, 1)
    .option('--out <dir>', 'where the matrix goes', 'reports/latest-prove')
    .option('--json', 'print the matrix as JSON')
    .option('--quiet', 'print nothing but what is not proven')
    .addHelpText(
      'after',
      '\nWithout a choice of --cases, --scenarios, --properties and --variants, all four are run.\n\nExamples:\n  plumbline prove\n  plumbline prove --only "confirm.match.*"\n  plumbline prove --without "build.minimum.*"\n  plumbline prove --properties\n  plumbline prove --variants --all',
    )
    .action(async (options: ProveOptions) => {
      const { request, total } = proofRequest(options)
      const progress = runProgress(output, options.json ?? options.quiet ?? false)
      let proof: Proof | null = null
      const { result } = await runSuites({
        command: 'prove',
        suites: [],
        target: 'reference',
        options: {},
        seed: PROOF_SEED,
        progress,
        replay: ({ id }) => `npx plumbline prove --only ${id}`,
        execute: async () => {
          progress.start(total)
          proof = await proveInHalves({ ...request, onStep: progress.step }, options)
          progress.end()
          print(proof, request.isWhole, options, output)
          return resultsOfProof(proof)
        },
      })
      const keep = () => writeWhole(join(options.out, 'matrix.json'), `${JSON.stringify(proof, null, 2)}\n`)
      const ending = await keepResults(result.verdict, keep, output)
      finish(endWith(ending, options, output))
    })
}

/** A whole proof runs its second half in a process of its own, so that two cores work. */
async function proveInHalves(request: ProofRequest, options: ProveOptions): Promise<Proof> {
  const halves = halvesOf(request)
  if (halves === null) return prove(request)
  return withWorkers(
    async () => forkWorkers<null, Proof>(1, { kind: 'proof', options }),
    async ([worker]) => {
      const [first, second] = await Promise.all([prove(halves.first), worker?.run(null)])
      return second === undefined ? first : mergeProofs(first, second)
    },
  )
}

function seeds(value: string, before: readonly number[] = []): readonly number[] {
  return [...before, wholeNumber(value)]
}

function print(proof: Proof, isWhole: boolean, options: ProveOptions, output: Output): void {
  if (options.json) {
    output.out(JSON.stringify(proof))
    return
  }
  const say = options.quiet ? () => {} : output.out
  for (const text of proofTables(proof)) say(text)
  if (options.full) for (const line of describeAlone(proof)) say(line)
  for (const line of describeProblems(proof)) output.err(line)
  for (const line of describeTotals(proof, isWhole)) say(line)
  say(`the matrix is in ${join(options.out, 'matrix.json')}`)
}
