/**
 * Writes the cases that kill each defect into conformance/kills.json, as the last whole proof found them. A proof starts with
 * these, and a reader sees there which defects a case is for.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { DEFECTS } from '../conformance/defects/index.ts'
import type { Proof } from '../src/runner/proof/prove.ts'
import { defectsForCases } from '../src/runner/proof/suite.ts'

const MATRIX = 'reports/latest-prove/matrix.json'
const FILE = new URL('../conformance/kills.json', import.meta.url)

/** Returns why a matrix cannot be written down; null: it is complete. */
function problemOf({ requirements }: Proof): string | null {
  const tried = new Set(requirements.flatMap(({ defects }) => defects.map(({ id }) => id)))
  const all = defectsForCases({ defects: DEFECTS })
  const missing = all.filter(({ id }) => !tried.has(id)).length
  return missing === 0 ? null : `${missing} of ${all.length} defects are missing in ${MATRIX}`
}

const proof = existsSync(MATRIX) ? (JSON.parse(readFileSync(MATRIX, 'utf8')) as Proof) : null
const problem = proof === null ? `${MATRIX} is not there` : problemOf(proof)
if (proof === null || problem !== null) {
  console.error(`${problem}; run "npx plumbline prove --defects" first`)
  process.exit(1)
}
writeFileSync(FILE, `${JSON.stringify(proof.kills, null, 2)}\n`)
console.log(`${Object.keys(proof.kills).length} cases with what they kill`)
