/**
 * Runs many inputs on the parts of Plumbline that read untrusted data. Prints a line for each target; exits with 1 if a
 * property is violated.
 */
import { Argument, Command } from 'commander'
import { wholeNumber } from '../../src/cli/wholeNumber.ts'
import { fuzz } from './fuzz.ts'
import { TARGETS } from './targets.ts'

interface Options {
  readonly seed: number
  readonly runs: number
  readonly path?: string
}

const program = new Command('npm run fuzz --')
  .addArgument(
    new Argument('[target...]', 'what is fuzzed; default: everything').choices(Object.keys(TARGETS)),
  )
  .option('--seed <number>', 'determines every input', wholeNumber, 1)
  .option('--runs <number>', 'number of inputs generated for each target', wholeNumber, 10_000)
  .option('--path <path>', 'run only the input of a finding, by the path it printed')
  .parse()
const { seed, runs, path } = program.opts<Options>()
const [named] = program.processedArgs as [string[]]
for (const [name, create] of Object.entries(TARGETS)) {
  if (named.length > 0 && !named.includes(name)) continue
  const target = await create()
  try {
    const finding = await fuzz(name, target, { seed, runs, ...(path === undefined ? {} : { path }) })
    if (finding === null) {
      console.log(`${name}: everything holds, seed ${seed}, ${runs} inputs`)
      continue
    }
    process.exitCode = 1
    console.log(`${name}: ${finding.replay}`)
    console.log(`  minimal input: ${JSON.stringify(finding.input)}`)
    console.log(`  ${finding.message.split('\n').slice(0, 8).join('\n  ')}`)
  } finally {
    await target.stop?.()
  }
}
