import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EXIT } from '../../runner/verdict/exitCode.ts'
import { main } from '../main.ts'
import { ConfinedVerifier } from './confinedVerifier.ts'

const GOLDEN = 'reports/golden/window.still-pending-at-end.json'
const OPTIONS = { execute: true, maxSizeMib: 64 }

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-confined-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function run(...argv: string[]) {
  const lines: string[] = []
  const keep = (line: string) => lines.push(line)
  const code = await main(argv, { out: keep, err: keep })
  return { code, text: lines.join('\n') }
}

test('a file that takes too much memory ends with a sentence, and the next one is verified', async () => {
  const greedy = join(folder, 'greedy.json')
  writeFileSync(greedy, `[${'[],'.repeat(15_000_000)}[]]`)
  const { code, text } = await run('verify', greedy, GOLDEN, '--max-memory-mib', '400')
  expect(text).toContain(`${greedy}: REFUSED\nerror: it takes more than 400 MiB of memory to verify`)
  expect(text).toContain(`${GOLDEN}: holds`)
  expect(code).toBe(EXIT.inconclusive)
})

test('a file that takes too long is given up', async () => {
  const verifier = new ConfinedVerifier(OPTIONS, { seconds: 0.01, memoryMib: 1_024 })
  await expect(verifier.verify(GOLDEN)).rejects.toMatchObject({
    name: 'VerifyLimitError',
    limit: 'seconds',
    message: 'it takes more than 0.01 s to verify',
  })
  await verifier.stop()
})

test('a file that is too large is not read', async () => {
  const large = join(folder, 'large.json')
  writeFileSync(large, ' '.repeat(1_048_577))
  const { code, text } = await run('verify', large, '--max-size-mib', '1')
  expect(text).toContain('has 1,048,577 bytes; at most 1,048,576 are read')
  expect(code).toBe(EXIT.usage)
})
