/**
 * Runs histories through two EVMs: Anvil, which records them, and EthereumJS, which executes the recordings again.
 *
 *   npm run differential -- [histories] [--from SEED]
 *
 * From seed 1 on, the golden recordings come first. Prints every difference, after every 50 histories how much both have
 * executed so far and the seed to continue from, and ends with 1 when there is a difference. After an interruption, continue
 * with the last seed printed, and add the counts.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { GOLDEN_FOLDER } from '../scenarios/golden.ts'
import { shown } from '../src/recordings/execute/differences.ts'
import { executeRecording } from '../src/recordings/execute/executeRecording.ts'
import { parseRecording } from '../src/recordings/format/file.ts'
import type { Recording } from '../src/recordings/format/schema.ts'
import { recordScript } from '../src/recordings/record/recordScript.ts'
import { plural } from '../src/reporting/plural.ts'
import { generateScript } from '../src/simulation/script/randomScript.ts'
import { createWorld } from '../src/simulation/world/world.ts'

/** How often it is said how far the run has come. */
const HISTORIES_PER_LINE = 50

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { from: { type: 'string', default: '1' } },
})
const [histories, firstSeed] = [wholeNumber(positionals[0] ?? '100'), wholeNumber(values.from)]
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

function wholeNumber(text: string): number {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number > 0) return number
  throw new RangeError(
    `${text} is no whole number above 0. Say how many histories, and with --from the first seed.`,
  )
}

function counts(): string {
  return [
    plural(totals.histories, 'history', 'histories'),
    plural(totals.blocks, 'block'),
    plural(totals.transactions, 'transaction'),
    plural(totals.replies, 'reply', 'replies'),
    plural(totals.differences, 'difference'),
  ].join(', ')
}

if (firstSeed === 1)
  for (const file of readdirSync(GOLDEN_FOLDER).filter((each) => each.endsWith('.json')))
    await compare(file, parseRecording(readFileSync(new URL(file, GOLDEN_FOLDER), 'utf8')))

const world = await createWorld({ seed: firstSeed, stateRoots: true })
try {
  for (let seed = firstSeed; seed < firstSeed + histories; seed += 1) {
    const { steps } = generateScript(seed)
    await compare(`seed ${seed}`, await recordScript(world, { name: 'random', seed, steps }))
    const done = seed + 1 - firstSeed
    if (done % HISTORIES_PER_LINE === 0 && done < histories)
      console.log(`${counts()}; continue with --from ${seed + 1}`)
  }
} finally {
  await world.stop()
}
console.log(counts())
process.exitCode = totals.differences === 0 ? 0 : 1
