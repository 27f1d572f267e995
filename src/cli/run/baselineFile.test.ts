import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../host/testing/temporaryFolder.ts'
import { BASELINE_SCHEMA } from '../../reporting/baselineFormat.ts'
import { readBaseline } from './baselineFile.ts'
import type { RunOptions } from './options.ts'

const { path: folder } = temporaryFolder()
beforeAll(() => {
  writeFileSync(join(folder, 'known.json'), JSON.stringify({ schema: BASELINE_SCHEMA, entries: [] }))
})

const read = (name: string, options: Partial<RunOptions>) =>
  readBaseline({ baseline: join(folder, name), ...options } as RunOptions, [])
const WHY = { reason: 'later', link: 'https://example.com/1', expires: '2099-01-01' }

test.each<[string, string, Partial<RunOptions>, RegExp]>([
  ['a baseline that is not there', 'none.json', {}, /there is no such baseline/],
  ['a baseline in no folder', 'no/known.json', {}, /there is no such baseline/],
  [
    'a link that is none',
    'known.json',
    { ...WHY, updateBaseline: true, link: 'later' },
    /--link is not a URL/,
  ],
  ['a day that is over', 'known.json', { ...WHY, updateBaseline: true, expires: '2020-01-01' }, /is over/],
  [
    'a first baseline without reasons',
    'none.json',
    { updateBaseline: true },
    /every entry of .* would be new/,
  ],
])('%s is refused before anything is run', (_what, name, options, why) => {
  expect(() => read(name, options)).toThrow(why)
})

test('a baseline is updated where every reason is known, or given', () => {
  expect(read('known.json', { updateBaseline: true })?.known.entries).toEqual([])
  expect(read('none.json', { ...WHY, updateBaseline: true })?.update).toEqual(WHY)
})

test('a mistyped baseline gets the file next to it as a suggestion', () => {
  const advice = expect.stringContaining('Did you mean known.json? ')
  expect(() => read('knwon.json', {})).toThrow(expect.objectContaining({ advice }))
})
