/**
 * Writes which case kills which defect into conformance/kills.json, as the last whole proof found it: a proof begins with these, and a
 * reader sees there what a case is for.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Proof } from '../src/runner/proof/prove.ts'

const MATRIX = 'reports/latest-prove/matrix.json'
const FILE = new URL('../conformance/kills.json', import.meta.url)

if (!existsSync(MATRIX)) {
  console.error(`${MATRIX} is not there; run "npx plumbline prove --defects" first`)
  process.exit(1)
}
const { kills } = JSON.parse(readFileSync(MATRIX, 'utf8')) as Proof
writeFileSync(FILE, `${JSON.stringify(kills, null, 2)}\n`)
console.log(`${Object.keys(kills).length} cases with what they kill`)
