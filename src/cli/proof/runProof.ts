import { join } from 'node:path'
import { checkFolder, writeWhole } from '../../host/writeWhole.ts'
import { paragraph } from '../../reporting/document/model.ts'
import { type Proof, prove } from '../../runner/proof/prove.ts'
import { PROOF_SEED } from '../../runner/proof/service.ts'
import type { Further, ProofRequest } from '../../runner/proof/suite.ts'
import { resultsOfProof } from '../../runner/proof/verdict.ts'
import { execute } from '../../runner/run/execute.ts'
import { runSuites } from '../../runner/run/run.ts'
import type { Ending } from '../../runner/verdict/verdict.ts'
import { keepResults } from '../run/keepResults.ts'
import type { Run } from '../run/plainRun.ts'
import { requestOf } from '../run/run.ts'
import { endWith } from '../terminal/ending.ts'
import type { Output } from '../terminal/output.ts'
import { printBlocks } from '../terminal/printBlocks.ts'
import { runProgress } from '../terminal/progress.ts'
import { aloneBlocks, matrixBlocks, problemBlocks, totalBlocks } from './proofBlocks.ts'
import { type ProveOptions, proofRequest } from './proofRequest.ts'

/** A whole proof may take hours on a slow machine. */
const TIMEOUT_S = 6 * 60 * 60

/**
 * Runs `plumbline prove`: the suites against known-broken and known-good services.
 *
 * @throws {UsageError} a pattern matches nothing, or the folder for the matrix cannot be written.
 */
export async function runProof(options: ProveOptions, output: Output): Promise<Ending> {
  const chosen = proofRequest(options)
  checkFolder(options.out)
  const progress = runProgress(output, options.json ?? options.quiet ?? false)
  const requestFor = async (further: Further | null) => ({
    ...(await requestOf(runOf(chosen, options, further))),
    progress,
  })
  let proof: Proof | null = null
  const { result } = await runSuites({
    ...(await requestFor(null)),
    execute: async (first) => {
      proof = await prove(chosen, async (further) => {
        const { suites } = await execute(further === null ? first : await requestFor(further))
        return suites.flatMap(({ cases }) => cases)
      })
      progress.end()
      print(proof, chosen.isWhole, options, output)
      return resultsOfProof(proof)
    },
  })
  const keep = () => writeWhole(join(options.out, 'matrix.json'), `${JSON.stringify(proof, null, 2)}\n`)
  const ending = await keepResults(result.verdict, keep, output)
  return endWith(ending, options, output)
}

/** Returns a proof as a run: two worlds in each process, and two processes if it includes several variants. */
function runOf({ variants }: ProofRequest, options: ProveOptions, further: Further | null): Run {
  return {
    ...{ command: 'prove', target: 'reference', options: {}, seed: PROOF_SEED },
    ...{ suites: [{ name: 'proof', options, further }], timeoutS: TIMEOUT_S, lanes: 2 },
    ...(variants.length > 1 ? { workers: 2 } : {}),
  }
}

function print(proof: Proof, isWhole: boolean, options: ProveOptions, output: Output): void {
  if (options.json) {
    output.out(JSON.stringify(proof))
    return
  }
  printBlocks(problemBlocks(proof), output.err)
  if (options.quiet) return
  printBlocks(
    [
      ...matrixBlocks(proof),
      ...(options.full ? aloneBlocks(proof) : []),
      ...totalBlocks(proof, isWhole),
      paragraph(`the matrix is in ${join(options.out, 'matrix.json')}`),
    ],
    output.out,
  )
}
