import { join } from 'node:path'
import { writeWhole } from '../host/writeWhole.ts'
import type { Proof } from '../reporting/proof.ts'
import { halvesOf, mergeProofs } from '../runner/proof/halves.ts'
import { type ProofRequest, prove } from '../runner/proof/prove.ts'
import { PROOF_SEED } from '../runner/proof/runCase.ts'
import { resultsOfProof } from '../runner/proof/verdict.ts'
import { runSuites } from '../runner/run.ts'
import type { Ending } from '../runner/verdict.ts'
import { withWorkers } from '../runner/workers.ts'
import { endWith } from './ending.ts'
import { forkWorkers } from './forkWorkers.ts'
import { invocation } from './invocation.ts'
import type { Output } from './output.ts'
import { runProgress } from './progress.ts'
import { proofRequest } from './proofRequest.ts'
import type { ProveOptions } from './proveOptions.ts'
import { describeAlone, describeProblems, describeTotals, proofTables } from './proveTables.ts'
import { keepResults } from './run/keepResults.ts'

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
      proof = await proveInHalves({ ...request, onStep: progress.step }, options)
      progress.end()
      print(proof, request.isWhole, options, output)
      return resultsOfProof(proof)
    },
  })
  const keep = () => writeWhole(join(options.out, 'matrix.json'), `${JSON.stringify(proof, null, 2)}\n`)
  const ending = await keepResults(result.verdict, keep, output)
  return endWith(ending, options, output)
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
