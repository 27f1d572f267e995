import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { plumbline } from './testing/plumbline.ts'

const folder = temporaryFolder()

const prove = (...flags: readonly string[]) => plumbline('prove', '--out', folder.path, ...flags)

test('a defect that is killed proves its requirement', async () => {
  const { code, out } = await prove('--only', 'confirm.unknown-hash-422')
  expect(out).toContain('1 of 1 defects killed, 1 of 1 requirements proven')
  expect(code).toBe(0)
  expect(out.split('\n').at(-1)).toBe('conforms')
  const matrix = JSON.parse(readFileSync(folder.at('matrix.json'), 'utf8'))
  expect(matrix).toMatchObject({ unproven: [], survivors: [] })
  expect(matrix.requirements[0].defects[0].killedBy.requirements).toContain('confirm.not-found')
})

test('without the only cases that kill it, the defect survives and the requirement is named', async () => {
  const without = ['--without', 'confirm.not-found', 'scenario.*']
  const { code, err, out } = await prove('--only', 'confirm.unknown-hash-422', ...without)
  expect(code).toBe(1)
  expect(out.split('\n').at(-1)).toBe('does not conform')
  expect(err).toMatch(/survived.* confirm\.unknown-hash-422/)
  expect(err).toMatch(/unproven.* confirm\.not-found/)
})

test.each([
  ['--only', 'confirm.unknown-hash-423', 'Did you mean confirm.unknown-hash-422?'],
  ['--without', 'confirm.notfound', 'Did you mean confirm.not-found?'],
])(
  '%s with an unknown name is wrong usage, and the most similar one is suggested',
  async (flag, name, advice) => {
    const { code, err } = await prove(flag, name)
    expect(code).toBe(2)
    expect(err).toContain(advice)
  },
)
