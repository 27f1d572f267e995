/**
 * Fails if a package that is installed or bundled with this one has a known vulnerability of severity high or critical. If the
 * registry does not respond, prints that; with --required, as for a release, it fails as well.
 */
import { spawnSync } from 'node:child_process'
import { describeAudit } from './release/advisories.ts'

const { stdout } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
const { text, isChecked, isFine } = describeAudit(stdout)
console.log(text)
if (!isFine || (!isChecked && process.argv.includes('--required'))) process.exitCode = 1
