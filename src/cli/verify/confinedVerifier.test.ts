import { expect, test } from 'vitest'
import { temporaryFolder } from '../../host/testing/temporaryFolder.ts'
import { EXIT } from '../../runner/verdict/exitCode.ts'
import { plumbline } from '../testing/plumbline.ts'
import { ConfinedVerifier } from './confinedVerifier.ts'

const GOLDEN = 'reports/golden/window.still-pending-at-end.json'
const folder = temporaryFolder()

test('a file that takes too much memory is refused with one sentence, and the next one is verified', async () => {
  const greedy = folder.write('greedy.json', `[${'[],'.repeat(8_000_000)}[]]`)
  const limit = ['--max-memory-mib', '200', '--no-execute']
  const { code, text } = await plumbline('verify', greedy, GOLDEN, ...limit)
  expect(text).toContain(`${greedy}: REFUSED\nerror: it takes more than 200 MiB of memory to verify`)
  expect(text).toContain(`${GOLDEN}: holds`)
  expect(code).toBe(EXIT.inconclusive)
})

test('a file that takes too long is given up', async () => {
  const options = { execute: true, maxSizeMib: 64 }
  const verifier = new ConfinedVerifier(options, { seconds: 0.01, memoryMib: 1_024 })
  await expect(verifier.verify(GOLDEN)).rejects.toMatchObject({
    ...{ name: 'CommandError', message: 'it takes more than 0.01 s to verify' },
  })
  await verifier.stop()
})

test('a file that is too large is not read', async () => {
  const large = folder.write('large.json', ' '.repeat(1_048_577))
  const { code, text } = await plumbline('verify', large, '--max-size-mib', '1')
  expect(text).toContain('has 1,048,577 bytes; at most 1,048,576 are read')
  expect(code).toBe(EXIT.usage)
})
