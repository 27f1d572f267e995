import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../host/testing/temporaryFolder.ts'
import { revokerOf } from '../../targets/starting/revoke.ts'
import { readCapabilitiesFile } from './targetFiles.ts'

const folder = realpathSync(temporaryFolder().path)

test('a command in a file of capabilities runs in the folder of that file', async () => {
  const path = join(folder, 'my service', 'capabilities.json')
  mkdirSync(join(folder, 'my service'))
  const declared = { schema: 'plumbline-capabilities/1', capabilities: ['key-revocation'] }
  writeFileSync(
    path,
    JSON.stringify({ ...declared, revokeKey: 'pwd > {keyId}; echo "$DATABASE" >> {keyId}' }),
  )
  const { revokeKey = '' } = readCapabilitiesFile(path)
  await revokerOf(revokeKey, { DATABASE: 'its own' })('key-1')
  expect(readFileSync(join(folder, 'my service', 'key-1'), 'utf8')).toBe(`${folder}/my service\nits own\n`)
})

test('the error of such a command says where it ran', async () => {
  await expect(revokerOf('exit 3; {keyId}', {})('key-1')).rejects.toMatchObject({
    message: expect.stringContaining('it ended with 3'),
    advice: expect.stringContaining('runs in the folder of that file'),
  })
})
