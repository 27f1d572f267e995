import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { bundled, evaluated } from './testing/evaluated.ts'
import { removed } from './testing/removed.ts'
import { temporaryFolder } from './testing/temporaryFolder.ts'

const MODULE = JSON.stringify(await bundled(new URL('./temporary.ts', import.meta.url)))
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const folder = temporaryFolder()
/** Another user than root, which needs no permissions. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** Runs a program as an unprivileged user that removes its permissions on a temporary folder. Returns the path of the folder. */
async function takesRights(then: string): Promise<string> {
  chmodSync(folder.path, 0o777)
  const program = `
    import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
    const { makeTemporaryFolder } = await import(${MODULE})
    const { path, remove } = makeTemporaryFolder('rights')
    mkdirSync(path + '/a/b', { recursive: true })
    writeFileSync(path + '/a/b/file', 'x')
    symlinkSync('/', path + '/a/root')
    for (const each of ['/a/b', '/a', '']) chmodSync(path + each, 0)
    process.stdout.write(path, () => { ${then} })`
  const child = spawn(process.execPath, evaluated(program), {
    ...NOBODY,
    cwd: ROOT,
    env: { ...process.env, TMPDIR: folder.path, HOME: folder.path },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [path] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect(path.startsWith(folder.path)).toBe(true)
  return path
}

test('a folder without any permissions is removed', async () => {
  expect(existsSync(await takesRights('remove()'))).toBe(false)
})

test('even if this process is killed', async () => {
  await removed(await takesRights(`process.kill(process.pid, 'SIGKILL')`))
})
