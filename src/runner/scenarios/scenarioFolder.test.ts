import { mkdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../host/testing/temporaryFolder.ts'
import { namedScenarios, readScenarios } from './scenarioFolder.ts'

const { path: folder, at, write } = temporaryFolder()

/** Returns a reference to a value of a table. */
const ref = (name: string) => `\${${name}}`

const GOOD = {
  description: 'One block.',
  requirements: ['confirm.recorded'],
  steps: [{ op: 'mine', blocks: 1 }],
}
const TABLE = {
  requirements: ['confirm.recorded'],
  cases: [
    { id: 'few', description: 'Some.', values: { blocks: 2, word: 'few' } },
    { id: 'many', description: `So ${ref('word')}.`, values: { blocks: 30, word: 'many' } },
  ],
  steps: [
    { op: 'mine', blocks: ref('blocks') },
    { op: 'restart' },
    { op: 'issue-key', as: `key-${ref('word')}`, partner: 'partner-one', kind: 'individual' },
  ],
}

function messageFor(content: unknown): string {
  const file = write('malformed/one.json', content)
  try {
    readScenarios([file])
  } catch (error) {
    return error instanceof Error ? error.message.replace(file, 'one.json') : String(error)
  }
  throw new Error('the file was accepted')
}

describe('scenario files', () => {
  it('get their ids from their paths, in a stable order', () => {
    write('family/second.json', GOOD)
    write('family/deep/first.json', GOOD)
    write('family/table.json', TABLE)
    expect(readScenarios([at('family'), write('alone.json', GOOD)]).map(({ id }) => id)).toEqual([
      'alone',
      'deep.first',
      'few',
      'many',
      'second',
    ])
    expect(readScenarios([folder]).map(({ id }) => id)).toContain('family.many')
  })

  it('take the values of a table with their types', () => {
    const [few, many] = readScenarios([write('table.json', TABLE)])
    expect(few?.steps[0]).toEqual({ op: 'mine', blocks: 2 })
    expect(many?.steps[2]).toMatchObject({ as: 'key-many' })
    expect(many?.description).toBe('So many.')
  })

  it('of this project have ids of a family and a name', () => {
    const scenarios = namedScenarios()
    expect(scenarios.length).toBeGreaterThanOrEqual(84)
    expect(scenarios.every(({ id }) => /^[a-z-]+\.[a-z-]+$/.test(id))).toBe(true)
  })

  it.each([
    ['no JSON', 'steps:', /^one\.json: it is not JSON: /],
    [
      'a missing member',
      { ...GOOD, description: undefined },
      'one.json: /description is missing; expected a string',
    ],
    [
      'an unknown step',
      { ...GOOD, steps: [{ op: 'mien' }] },
      /\/steps\/0\/op is "mien"; expected one of "quote", "build", /,
    ],
    [
      'a wrong type',
      { ...GOOD, steps: [{ op: 'mine', blocks: 'three' }] },
      'one.json: /steps/0/blocks is "three"; expected a number',
    ],
    [
      'a number out of bounds',
      { ...GOOD, steps: [{ op: 'mine', blocks: 0 }] },
      'one.json: /steps/0/blocks is 0; expected at least 1',
    ],
    [
      'an unknown member',
      { ...GOOD, steps: [{ op: 'confirm', key: 'one', build: 'swap', tx: 'tx', expects: 200 }] },
      'one.json: /steps/0/expects is not a known member; did you mean expect?; allowed members: op, key, build, tx, exercises, expect',
    ],
    [
      'a misspelt member that is needed',
      { ...GOOD, steps: [{ opp: 'mine', blocks: 3 }] },
      'one.json: /steps/0/opp is not a known member; did you mean op?',
    ],
    [
      'an unknown requirement',
      { ...GOOD, requirements: ['confirm.recored'] },
      'one.json: /requirements/0 is "confirm.recored"; expected the id of a requirement, as `plumbline list` shows them',
    ],
    [
      'a value that no case has',
      { ...TABLE, steps: [{ op: 'mine', blocks: ref('block') }] },
      `one.json: /steps/0/blocks uses ${ref('block')}; the values of the case are: blocks, word (case few)`,
    ],
    [
      'a value of the wrong type',
      { ...TABLE, cases: [{ id: 'few', description: 'Some.', values: { blocks: true, word: 'few' } }] },
      'one.json: /steps/0/blocks is true; expected a number (case few)',
    ],
    [
      'a value that nothing uses',
      { ...TABLE, steps: [{ op: 'mine', blocks: ref('blocks') }] },
      `one.json: /cases/0/values/word is used nowhere; write "${ref('word')}" in a step`,
    ],
  ])('with %s are refused', (_what, content, message) => {
    expect(messageFor(content)).toMatch(message)
  })

  it('of a table that would expand beyond any memory are refused', () => {
    const [one] = TABLE.cases
    const long = { ...one, values: { blocks: 2, word: 'x'.repeat(1_000_000) } }
    expect(messageFor({ ...TABLE, cases: [{ ...long, description: ref('word').repeat(100_000) }] })).toMatch(
      /^one\.json: its scenarios have more than 1,000,000 values and characters/,
    )
    const wordy = { ...one, description: `x ${ref('word')}`, values: { blocks: 2, word: 'x'.repeat(60_000) } }
    const cases = Array.from({ length: 20 }, (_, index) => ({ ...wordy, id: `c${index}` }))
    expect(messageFor({ ...TABLE, cases, steps: TABLE.steps.slice(0, 2) })).toMatch(/more than 1,000,000/)
    const steps = [{ op: 'mine', blocks: Array(1_000_000).fill(0) }]
    expect(messageFor({ ...TABLE, steps })).toMatch(/more than 1,000,000/)
    const within = {
      ...one,
      description: `x ${ref('word')}`,
      values: { blocks: 2, word: ['y'.repeat(1_000_000)] },
    }
    expect(messageFor({ ...TABLE, cases: [within] }).length).toBeLessThan(500)
  })

  it('with the same id are refused, and so is a folder without any', () => {
    mkdirSync(at('empty'))
    const file = write('twice/twice.json', GOOD)
    expect(() => readScenarios([file, at('twice')])).toThrow('the id twice is taken by')
    expect(() => readScenarios([at('empty')])).toThrow('the folder holds no .json file')
    expect(() => readScenarios([at('nowhere.json')])).toThrow('it cannot be read (ENOENT)')
  })
})
