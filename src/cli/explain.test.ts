import { expect, test } from 'vitest'
import { plumbline } from './testing/plumbline.ts'

const explained = (...argv: string[]) => plumbline('explain', ...argv)

test('several ids are explained one after another, with an empty line between', async () => {
  const { code, out } = await explained('confirm.pending', 'confirm.depth')
  expect(code).toBe(0)
  expect(out).toMatch(/^confirm\.pending, SPEC §/)
  expect(out).toMatch(/\n\n.*confirm\.depth/)
})

test('as JSON each is a line', async () => {
  const { out } = await explained('confirm.pending', 'confirm.depth', '--json')
  expect(out.split('\n').map((line) => JSON.parse(line).id)).toEqual(['confirm.pending', 'confirm.depth'])
})

test('if one id is wrong, only the error is printed', async () => {
  const { code, out, err } = await explained('confirm.pending', 'confirm.pendign')
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain('Did you mean confirm.pending')
})
