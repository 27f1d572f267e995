/**
 * Runs histories through two EVMs: Anvil, which records them, and EthereumJS, which executes the recordings again.
 *
 *   npm run differential -- [histories] [first seed]
 *
 * The golden recordings come first, then random histories of these seeds. Prints how much both executed, and every
 * difference; ends with 1 when there is one.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { GOLDEN_FOLDER } from '../scenarios/golden.ts'
import { shown } from '../src/recordings/execute/differences.ts'
import { executeRecording } from '../src/recordings/execute/executeRecording.ts'
import { parseRecording } from '../src/recordings/format/file.ts'
import type { Recording } from '../src/recordings/format/schema.ts'
import { recordScript } from '../src/recordings/record/recordScript.ts'
import { plural } from '../src/reporting/plural.ts'
import { generateScript } from '../src/simulation/randomScript.ts'
import { createWorld } from '../src/simulation/world.ts'

const [histories = 100, firstSeed = 1] = process.argv.slice(2).map(Number)
const totals = { histories: 0, blocks: 0, transactions: 0, replies: 0, differences: 0 }

async function compare(name: string, recording: Recording): Promise<void> {
  const { differences, blocks, transactions, replies } = await executeRecording(recording)
  totals.histories += 1
  totals.blocks += blocks
  totals.transactions += transactions
  totals.replies += replies
  totals.differences += differences.length
  for (const { entry, field, recorded, executed } of differences)
    console.log(`${name}, entry ${entry}, ${field}: Anvil ${shown(recorded)}, EthereumJS ${shown(executed)}`)
}

for (const file of readdirSync(GOLDEN_FOLDER).filter((each) => each.endsWith('.json')))
  await compare(file, parseRecording(readFileSync(new URL(file, GOLDEN_FOLDER), 'utf8')))

const world = await createWorld({ seed: firstSeed, stateRoots: true })
try {
  for (let seed = firstSeed; seed < firstSeed + histories; seed += 1) {
    const { steps } = generateScript(seed)
    await compare(`seed ${seed}`, await recordScript(world, { name: 'random', seed, steps }))
  }
} finally {
  await world.stop()
}
console.log(
  [
    plural(totals.histories, 'history', 'histories'),
    plural(totals.blocks, 'block'),
    plural(totals.transactions, 'transaction'),
    plural(totals.replies, 'reply', 'replies'),
    plural(totals.differences, 'difference'),
  ].join(', '),
)
process.exitCode = totals.differences === 0 ? 0 : 1
