/**
 * Fails where a package that is installed with this one, or bundled in it, has a known weakness of severity high or critical. A registry that
 * does not answer is said in one sentence; with --required, as for a release, that fails as well.
 */
import { spawnSync } from 'node:child_process'
import { describeAudit } from './release/advisories.ts'

const { stdout } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
const { text, isChecked, isFine } = describeAudit(stdout)
console.log(text)
if (!isFine || (!isChecked && process.argv.includes('--required'))) process.exitCode = 1
