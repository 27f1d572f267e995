import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandIn } from '../../host/shellWord.ts'
import { temporaryFolder } from '../../host/testing/temporaryFolder.ts'
import { revokerOf, withStart } from '../../targets/starting/revoke.ts'
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

test('{start} in such a command is the start command, in the folder where that runs', async () => {
  const path = join(folder, 'started', 'capabilities.json')
  mkdirSync(join(folder, 'started'))
  writeFileSync(join(folder, 'service.sh'), 'pwd > "$OUT"; echo "$@" >> "$OUT"')
  const declared = { schema: 'plumbline-capabilities/1', capabilities: ['key-revocation'] }
  writeFileSync(path, JSON.stringify({ ...declared, revokeKey: '{start} revoke {keyId}' }))
  const start = commandIn(folder, 'sh service.sh --name $NAME')
  const { revokeKey = '' } = withStart(readCapabilitiesFile(path), start)
  const out = join(folder, 'out')
  await revokerOf(revokeKey, { OUT: out, NAME: 'mine' })('key-1')
  expect(readFileSync(out, 'utf8')).toBe(`${folder}\n--name mine revoke key-1\n`)
})

test('the error of such a command says where it ran', async () => {
  await expect(revokerOf('exit 3; {keyId}', {})('key-1')).rejects.toMatchObject({
    message: expect.stringContaining('it ended with 3'),
    advice: expect.stringContaining('runs in the folder of that file'),
  })
})
