/**
 * Runs many inputs on the parts of Plumbline that read what strangers send or write. Inputs that reach new code are kept
 * and changed further. Prints a line for each target; exits 1 where something that must hold does not.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { wholeNumber } from '../../src/cli/wholeNumber.ts'
import { readCorpus, writeCorpus } from './corpus.ts'
import { Coverage } from './coverage.ts'
import { errorOf, type Finding, fuzz, inputAt, startOf } from './fuzz.ts'
import { type Input, inputSchema } from './input.ts'
import type { Target } from './target.ts'
import { TARGETS } from './targets.ts'

const FOUND_FOLDER = 'reports/fuzz'

interface Options {
  readonly seed: number
  readonly inputs: number
  readonly target?: string[]
  readonly plain?: boolean
  readonly keep?: boolean
  readonly at?: number
  readonly replay?: string
}

const options = new Command('npm run fuzz --')
  .option('--seed <number>', 'decides every input', wholeNumber, 1)
  .option('--inputs <number>', 'how many inputs each target is run with', wholeNumber, 10_000)
  .option('--target <name...>', `these targets; default: all (${Object.keys(TARGETS).join(', ')})`)
  .option(
    '--plain',
    'without coverage: each input follows from the seed and its number alone, as in npm test',
  )
  .option('--keep', 'write the inputs that reached new code into the committed corpus')
  .option('--at <number>', 'run only the input with this number of a --plain run', wholeNumber)
  .option('--replay <file>', 'run only the input in this file')
  .parse()
  .opts<Options>()

const coverage = options.plain === true ? null : new Coverage()
let findings = 0
for (const [name, create] of Object.entries(TARGETS)) {
  if (options.target !== undefined && !options.target.includes(name)) continue
  const target = await create()
  try {
    const single = singleInput(target)
    if (single === null) await runMany(target)
    else await runOne(target, single)
  } finally {
    await target.stop?.()
  }
}
coverage?.stop()
if (findings > 0) process.exitCode = 1

function singleInput(target: Target): Input | null {
  const { replay, at, seed } = options
  if (replay !== undefined) return inputSchema.parse(JSON.parse(readFileSync(replay, 'utf8')))
  return at === undefined ? null : inputAt(target, startOf(target, readCorpus(target.name)), seed, at)
}

async function runOne(target: Target, input: Input): Promise<void> {
  const error = await errorOf(target, input)
  console.log(`${target.name} ${JSON.stringify(input)}`)
  console.log(error === null ? 'holds' : (error.stack ?? error.message))
  if (error !== null) findings += 1
}

async function runMany(target: Target): Promise<void> {
  const { seed, inputs, keep } = options
  const blocksBefore = coverage?.blocks ?? 0
  const beganMs = performance.now()
  const usedBefore = process.cpuUsage()
  const result = await fuzz(target, {
    seed,
    inputs,
    corpus: readCorpus(target.name),
    coverage,
    onFinding: (finding) => report(target, finding),
  })
  const seconds = (performance.now() - beganMs) / 1_000
  const { user, system } = process.cpuUsage(usedBefore)
  const processorSeconds = ((user + system) / 1_000_000).toFixed(0)
  findings += result.findings.length
  const blocks = coverage === null ? 'not counted' : String(coverage.blocks - blocksBefore)
  const kept =
    keep === true
      ? `, ${writeCorpus(target.name, [...result.findings.map(({ input }) => input), ...result.corpus])} written`
      : ''
  console.log(
    `${target.name}: ${result.inputs} inputs in ${seconds.toFixed(0)} s (${processorSeconds} s of one processor), ${blocks} new blocks, corpus ${result.corpus.length}${kept}, ${result.findings.length} findings`,
  )
}

function report(target: Target, { key, message, at, input }: Finding): void {
  mkdirSync(FOUND_FOLDER, { recursive: true })
  const file = join(FOUND_FOLDER, `${target.name}-${options.seed}-${at}.json`)
  writeFileSync(file, `${JSON.stringify(input)}\n`)
  console.log(`${target.name}: seed ${options.seed}, input ${at}: ${key}`)
  console.log(`  npm run fuzz -- --target ${target.name} --replay ${file}`)
  console.log(`  ${message.split('\n').slice(0, 8).join('\n  ')}`)
}
