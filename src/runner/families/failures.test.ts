import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failureName, readFailures, writeFailure } from './failures.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-failures-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const FAILURE = {
  property: 'history.credited-once',
  requirement: 'confirm.conflict.build',
  expected: 'one transaction',
  actual: 'two',
  seed: 7,
  case: { steps: [{ op: 'mine', blocks: 4 }] },
} as const

describe('a kept failure', () => {
  it('is read as it was written, and names the programs that ran', () => {
    const file = writeFailure(folder, FAILURE)
    expect(readFailures(folder)).toEqual([{ ...FAILURE, file }])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      schema: 'plumbline-failure/1',
      versions: { node: process.version, plumbline: expect.stringMatching(/^\d+\.\d+\.\d+/) },
    })
    expect(readFailures(folder).map(failureName)).toEqual(['kept.history.credited-once.1'])
  })

  it('is kept once, and another of the same property next to it', () => {
    const file = writeFailure(folder, FAILURE)
    expect(writeFailure(folder, FAILURE)).toBe(file)
    writeFailure(folder, { ...FAILURE, case: { steps: [] } })
    expect(readdirSync(folder)).toEqual(['history.credited-once.1.json', 'history.credited-once.2.json'])
  })

  it.each([
    ['nothing', 'not JSON'],
    ['{"schema":"plumbline-failure/1"}', 'property'],
    ['{"schema":"plumbline-kept-failure/1"}', 'plumbline-failure/1'],
  ])('is refused by the name of its file when that holds %s', (text, problem) => {
    writeFileSync(join(folder, 'bad.json'), text)
    expect(() => readFailures(folder)).toThrow(problem)
    expect(() => readFailures(folder)).toThrow('bad.json')
  })

  it('is not required: a missing folder has none', () => {
    expect(readFailures(join(folder, 'nowhere'))).toEqual([])
  })
})
