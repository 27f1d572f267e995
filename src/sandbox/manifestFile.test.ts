import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import type { Manifest } from '../spec/manifest.ts'
import { readManifestFile, writeManifestFile } from './manifestFile.ts'

const { path: directory, at, write } = temporaryFolder()

it('replaces an older manifest completely and leaves no other file', async () => {
  const path = write('replaced.json', 'an older and longer text than what follows')
  // Writing does not validate, as the deployment did.
  await writeManifestFile(path, { schema: 'plumbline-sandbox/1' } as Manifest)
  expect((await readdir(directory)).filter((name) => name.startsWith('replaced'))).toEqual(['replaced.json'])
  await expect(readManifestFile(path)).rejects.toMatchObject({ reason: 'wrong-shape' })
})

it('names the directory that it cannot write to', async () => {
  const path = at('absent', 'manifest.json')
  await expect(writeManifestFile(path, {} as Manifest)).rejects.toMatchObject({
    name: 'ManifestFileError',
    reason: 'unwritable',
    path,
  })
})

it('says how to get a manifest that is missing', async () => {
  await expect(readManifestFile(at('none.json'))).rejects.toMatchObject({
    ...{ name: 'ManifestFileError', reason: 'missing' },
    advice: expect.stringContaining('plumbline sandbox --manifest'),
  })
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
  await expect(readManifestFile(path)).rejects.toMatchObject({ name: 'ManifestFileError', reason, path })
})
