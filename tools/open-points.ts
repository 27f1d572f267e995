/**
 * Runs the suite against the reference and the service in Python, and writes the answers of each at the points that the
 * specification leaves open into docs/open-points.json, from which `npm run guides` generates a page.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTemporaryFolder } from '../src/host/temporary.ts'
import type { Verdicts } from '../src/reporting/verdicts.ts'

const ROOT = new URL('../', import.meta.url)
const PYTHON = [
  '--start',
  'python3 -B docs/python/serve.py',
  '--capabilities',
  'docs/python/capabilities.json',
]
const SERVICES: Readonly<Record<string, readonly string[]>> = { reference: ['reference'], python: PYTHON }

const { path: folder, remove } = makeTemporaryFolder('open-points')
try {
  const answers = Object.entries(SERVICES).map(([name, target]) => {
    const out = join(folder, name)
    const command = ['bin/plumbline.mjs', 'conform', ...target, '--no-config', '--quiet', '--out', out]
    const { status } = spawnSync(process.execPath, command, { cwd: ROOT, stdio: 'inherit' })
    if (status !== 0) throw new Error(`the run against ${name} ended with ${status}`)
    const { openPoints }: Verdicts = JSON.parse(readFileSync(join(out, 'verdicts.json'), 'utf8'))
    return [name, Object.fromEntries(openPoints.map(({ point, answer }) => [point, answer]))]
  })
  const text = JSON.stringify(Object.fromEntries(answers), null, 2)
  writeFileSync(new URL('docs/open-points.json', ROOT), `${text}\n`)
} finally {
  remove()
}
