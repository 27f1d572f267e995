import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { plumbline } from '../../src/cli/testing/plumbline.ts'
import { temporaryFolder } from '../../src/host/testing/temporaryFolder.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const STATIC = join(ROOT, 'dist/swagger-ui/static')
const folder = temporaryFolder()

test('every file of licences that a bundle names is next to it, and of the version that is installed', () => {
  const scripts = readdirSync(STATIC).filter((name) => name.endsWith('.js'))
  const named = scripts.flatMap((name) => {
    const head = readFileSync(join(STATIC, name), 'utf8').slice(0, 1_000)
    return head.match(/\S+\.LICENSE\.txt/)?.[0] ?? []
  })
  expect(named.length).toBeGreaterThan(0)
  expect(readdirSync(STATIC)).toEqual(expect.arrayContaining([...named, 'LICENSE', 'NOTICE']))
  // The texts in tools/build/swagger-ui belong to this version.
  const { devDependencies } = JSON.parse(
    readFileSync(join(ROOT, 'node_modules/@fastify/swagger-ui/package.json'), 'utf8'),
  )
  expect(devDependencies['swagger-ui-dist']).toBe('5.32.1')
})

test('a page with a verifier in it says whose programs that holds, and where the sources of those are', async () => {
  const golden = join(ROOT, 'reports/golden/window.still-pending-at-end.json')
  await plumbline('report', '--recording', golden, '--out', folder.path)
  const page = folder.read('report.html')
  for (const line of readFileSync(join(ROOT, 'dist/verifier.licences'), 'utf8').trimEnd().split('\n'))
    expect(page).toContain(`<li>${line}</li>`)
  expect(page).toMatch(
    /<li>@ethereumjs\/vm [\d.]+, MPL-2\.0, https:\/\/www\.npmjs\.com\/package\/@ethereumjs\/vm/,
  )
})
