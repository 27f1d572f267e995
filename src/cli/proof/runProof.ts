import { join } from 'node:path'
import { writeWhole } from '../../host/writeWhole.ts'
import { type Proof, prove } from '../../runner/proof/prove.ts'
import { PROOF_SEED } from '../../runner/proof/runCase.ts'
import type { VariantOutcome } from '../../runner/proof/variants.ts'
import { resultsOfProof } from '../../runner/proof/verdict.ts'
import { runSuites } from '../../runner/run/run.ts'
import type { Ending } from '../../runner/verdict/verdict.ts'
import { forkWorkers } from '../forkWorkers.ts'
import { keepResults } from '../run/keepResults.ts'
import { endWith } from '../terminal/ending.ts'
import { invocation } from '../terminal/invocation.ts'
import type { Output } from '../terminal/output.ts'
import { runProgress } from '../terminal/progress.ts'
import { proofRequest } from './proofRequest.ts'
import type { ProveOptions } from './proveOptions.ts'
import { describeAlone, describeProblems, describeTotals, proofTables } from './proveTables.ts'

/**
 * Runs the suites against known-broken and known-good services, as the flags of `plumbline prove` say.
 *
 * @throws {UsageError} a pattern matches nothing.
 */
export async function runProof(options: ProveOptions, output: Output): Promise<Ending> {
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
    replay: ({ id }) => `${invocation()} prove --only ${id}`,
    execute: async () => {
      progress.start(total)
      const fork = () => forkWorkers<string, VariantOutcome>(1, { kind: 'proof', options })
      proof = await prove({ ...request, onStep: progress.step, fork })
      progress.end()
      print(proof, request.isWhole, options, output)
      return resultsOfProof(proof)
    },
  })
  const keep = () => writeWhole(join(options.out, 'matrix.json'), `${JSON.stringify(proof, null, 2)}\n`)
  const ending = await keepResults(result.verdict, keep, output)
  return endWith(ending, options, output)
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
