/**
 * Compiles the contracts into `src/venues-mock/generated`; with `--check` only checks that those files are up to date.
 * Exit codes: 0 done, 1 stale or does not compile, 2 wrong usage.
 */
import { PlumblineError } from '../../spec/errors.ts'
import { checkGenerated, writeGenerated } from './generate.ts'

const args = process.argv.slice(2)
if (args.some((arg) => arg !== '--check')) {
  console.error('Usage: npm run contracts, or npm run check:contracts')
  process.exit(2)
}

try {
  if (args.includes('--check')) {
    console.log(`${await checkGenerated('rebuild')} generated contract files are up to date`)
  } else {
    const changed = await writeGenerated()
    console.log(changed.length === 0 ? 'nothing to compile' : `written: ${changed.join(', ')}`)
  }
} catch (error) {
  if (!(error instanceof PlumblineError)) throw error
  console.error(`${error.name}: ${error.message}\n${error.advice}`)
  process.exitCode = 1
}
