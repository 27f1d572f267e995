import { expect, test } from 'vitest'
import { allRequirements } from '../../spec/requirements/index.ts'
import { type ClassifiedDefect, crossMistakes, type EmptyCells, MISTAKE_CLASSES } from './mistakes.ts'

const CLASSES = Object.keys(MISTAKE_CLASSES) as (keyof typeof MISTAKE_CLASSES)[]
const two = allRequirements().filter(({ id }) => id === 'confirm.pending' || id === 'confirm.not-found')
const defect = (mistake: ClassifiedDefect['mistake']): ClassifiedDefect => ({
  ...{ id: 'test.defect', title: 'a mistake', breaks: 'confirm.pending', seams: {} },
  mistake,
})
const all: EmptyCells = { mistakes: CLASSES, of: ['confirm.*'], because: 'nothing can break it' }

test('every cell has its defects, or the first argument that fits', () => {
  const { cells, problems } = crossMistakes(
    two,
    [defect('form')],
    [
      { ...all, mistakes: ['form'], of: ['confirm.not-found'] },
      { ...all, mistakes: CLASSES.filter((each) => each !== 'form') },
    ],
  )
  expect(problems).toEqual([])
  expect(cells).toHaveLength(2 * CLASSES.length)
  expect(cells).toContainEqual(
    expect.objectContaining({ requirement: 'confirm.pending', mistake: 'form', defects: ['test.defect'] }),
  )
  expect(cells).toContainEqual(
    expect.objectContaining({ requirement: 'confirm.not-found', mistake: 'form', defects: [], argument: 0 }),
  )
})

test('an empty cell without an argument is a problem', () => {
  const { problems } = crossMistakes(two, [], [{ ...all, of: ['confirm.pending'] }])
  expect(problems).toContain('confirm.not-found × race has no defect and no argument')
  expect(problems).toHaveLength(CLASSES.length)
})

test('a defect contradicts the argument that there can be none', () => {
  const { problems } = crossMistakes(two, [defect('race')], [all])
  expect(problems).toEqual(['confirm.pending × race is argued to be empty, and test.defect is there'])
})

test('an argument that names a clause needs a defect of the class there', () => {
  const shown = (mistake: ClassifiedDefect['mistake']) =>
    crossMistakes(two, [defect(mistake)], [{ ...all, mistakes: ['race'], shownAt: ['confirm.pending'] }, all])
      .problems
  expect(shown('race')).toEqual([])
  expect(shown('time')).toEqual([
    'confirm.pending × time is argued to be empty, and test.defect is there',
    '"nothing can break it" names confirm.pending, which has no defect of the class race',
  ])
})

test('an argument about no empty cell is a problem', () => {
  const { problems } = crossMistakes(two, [], [all, { ...all, because: 'too late' }])
  expect(problems).toEqual(['"too late" is about no empty cell'])
})
