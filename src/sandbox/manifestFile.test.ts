import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import type { Manifest } from '../spec/manifest.ts'
import { type ManifestFileError, readManifestFile, writeManifestFile } from './manifestFile.ts'

const { path: directory, at, write } = temporaryFolder()

const raised = (promise: Promise<unknown>): Promise<ManifestFileError> =>
  promise.then(
    () => {
      throw new Error('nothing was thrown')
    },
    (thrown) => thrown,
  )

it('replaces an older manifest whole and leaves nothing else behind', async () => {
  const path = write('replaced.json', 'an older and longer text than what follows')
  // Writing does not check: what is written comes from the deployment, which did.
  await writeManifestFile(path, { schema: 'plumbline-sandbox/1' } as Manifest)
  expect((await readdir(directory)).filter((name) => name.startsWith('replaced'))).toEqual(['replaced.json'])
  expect(await raised(readManifestFile(path))).toMatchObject({ reason: 'wrong-shape' })
})

it('names the directory that it cannot write to', async () => {
  const path = at('absent', 'manifest.json')
  const error = await raised(writeManifestFile(path, {} as Manifest))
  expect(error).toMatchObject({ name: 'ManifestFileError', reason: 'unwritable', path })
})

it('says how to get a manifest that is missing', async () => {
  const error = await raised(readManifestFile(at('none.json')))
  expect(error).toMatchObject({ name: 'ManifestFileError', reason: 'missing' })
  expect(error.advice).toContain('plumbline sandbox --manifest')
})

it.each([
  ['a directory', () => directory, 'unreadable'],
  ['text that is not JSON', () => write('text.json', '{"schema": '), 'not-json'],
  ['null', () => write('null.json', 'null'), 'other-schema'],
  ['no schema', () => write('no-schema.json', '{}'), 'other-schema'],
  ['a later schema', () => write('later.json', '{"schema":"plumbline-sandbox/2"}'), 'other-schema'],
  [
    'a manifest without its parts',
    () => write('parts.json', '{"schema":"plumbline-sandbox/1"}'),
    'wrong-shape',
  ],
])('refuses %s', async (_, make, reason) => {
  const path = make()
  expect(await raised(readManifestFile(path))).toMatchObject({ name: 'ManifestFileError', reason, path })
})
