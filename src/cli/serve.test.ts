import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { writeManifestFile } from '../sandbox/manifestFile.ts'
import { TEST_MANIFEST } from '../service/testing/manifest.ts'

const PLUMBLINE = fileURLToPath(new URL('../../bin/plumbline.mjs', import.meta.url))
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** What `plumbline serve` says on standard error right after its start, while its chain is away. */
async function adviceFor(database: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'plumbline-serve-'))
  cleanups.push(() => rm(directory, { recursive: true }))
  const manifest = join(directory, 'sandbox.json')
  await writeManifestFile(manifest, TEST_MANIFEST)
  const args = ['serve', '--sandbox', manifest, '--database', database]
  const service = spawn(process.execPath, [PLUMBLINE, ...args], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [line] = (await once(createInterface(service.stderr), 'line')) as [string]
  service.kill('SIGTERM')
  await once(service, 'exit')
  return line
}

it('prints the command that a new database needs next', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'plumbline database '))
  cleanups.push(() => rm(directory, { recursive: true }))
  const database = `file:${join(directory, 'partners.db')}`
  expect(await adviceFor(database)).toBe(
    `no key is issued yet; next: npx plumbline keys issue --partner NAME --database '${database}'`,
  )
})
