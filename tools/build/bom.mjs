import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DIST, ROOT } from './sources.mjs'

/**
 * Writes dist/bom.json as CycloneDX: every package that the build contains code of, with its licence and licence text.
 *
 * @param {readonly import('esbuild').Metafile[]} metafiles inputs and outputs of the build
 */
export function writeBillOfMaterials(metafiles) {
  const all = {
    inputs: Object.assign({}, ...metafiles.map(({ inputs }) => inputs)),
    outputs: Object.assign({}, ...metafiles.map(({ outputs }) => outputs)),
  }
  const program = createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-esbuild')
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-bom-'))
  try {
    const metafile = join(folder, 'metafile.json')
    writeFileSync(metafile, JSON.stringify(all))
    const words = ['--gather-license-texts', '--output-reproducible', '--build-working-dir', ROOT]
    execFileSync(
      process.execPath,
      [
        join(program, '../../bin/cyclonedx-esbuild-cli.js'),
        ...words,
        '--output-file',
        join(DIST, 'bom.json'),
        metafile,
      ],
      { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] },
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
