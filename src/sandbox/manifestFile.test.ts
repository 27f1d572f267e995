import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Manifest } from '../spec/manifest.ts'
import { type ManifestFileError, readManifestFile, writeManifestFile } from './manifestFile.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plumbline-manifest-'))
})
afterAll(() => rm(directory, { recursive: true }))

const raised = (promise: Promise<unknown>): Promise<ManifestFileError> =>
  promise.then(
    () => {
      throw new Error('nothing was thrown')
    },
    (thrown) => thrown,
  )

async function file(name: string, text: string): Promise<string> {
  const path = join(directory, name)
  await writeFile(path, text)
  return path
}

it('replaces an older manifest whole and leaves nothing else behind', async () => {
  const path = await file('replaced.json', 'an older and longer text than what follows')
  // Writing does not check: what is written comes from the deployment, which did.
  await writeManifestFile(path, { schema: 'plumbline-sandbox/1' } as Manifest)
  expect((await readdir(directory)).filter((name) => name.startsWith('replaced'))).toEqual(['replaced.json'])
  expect(await raised(readManifestFile(path))).toMatchObject({ reason: 'wrong-shape' })
})

it('names the directory that it cannot write to', async () => {
  const path = join(directory, 'absent', 'manifest.json')
  const error = await raised(writeManifestFile(path, {} as Manifest))
  expect(error).toMatchObject({ name: 'ManifestFileError', reason: 'unwritable', path })
})

it('says how to get a manifest that is missing', async () => {
  const error = await raised(readManifestFile(join(directory, 'none.json')))
  expect(error).toMatchObject({ name: 'ManifestFileError', reason: 'missing' })
  expect(error.advice).toContain('plumbline sandbox --manifest')
})

it.each([
  ['a directory', () => directory, 'unreadable'],
  ['text that is not JSON', () => file('text.json', '{"schema": '), 'not-json'],
  ['null', () => file('null.json', 'null'), 'other-schema'],
  ['no schema', () => file('no-schema.json', '{}'), 'other-schema'],
  ['a later schema', () => file('later.json', '{"schema":"plumbline-sandbox/2"}'), 'other-schema'],
  [
    'a manifest without its parts',
    () => file('parts.json', '{"schema":"plumbline-sandbox/1"}'),
    'wrong-shape',
  ],
])('refuses %s', async (_, make, reason) => {
  const path = await make()
  expect(await raised(readManifestFile(path))).toMatchObject({ name: 'ManifestFileError', reason, path })
})
