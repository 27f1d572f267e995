import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../host/testing/temporaryFolder.ts'
import { BASELINE_SCHEMA } from '../../reporting/baselineFormat.ts'
import { readBaseline } from './baselineFile.ts'

const { path: folder } = temporaryFolder()
beforeAll(() => {
  writeFileSync(join(folder, 'known.json'), JSON.stringify({ schema: BASELINE_SCHEMA, entries: [] }))
})

const read = (name: string) => readBaseline({ baseline: join(folder, name) }, [])

test.each([
  ['that is not there', 'none.json'],
  ['in no folder', 'no/known.json'],
])('a baseline %s is refused before anything is run', (_what, name) => {
  expect(() => read(name)).toThrow(/there is no such baseline/)
})

test('a mistyped baseline gets the file next to it as a suggestion', () => {
  const advice = expect.stringContaining('Did you mean known.json? ')
  expect(() => read('knwon.json')).toThrow(expect.objectContaining({ advice }))
})
