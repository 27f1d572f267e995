import { expect, test } from 'vitest'
import { neededEvidence } from '../src/spec/requirements/evidence.ts'
import { allRequirements, assertedAs, isJudged, requirement } from '../src/spec/requirements/index.ts'
import { casesForClients } from './client/index.ts'
import { DEFECTS } from './defects/index.ts'
import { conformanceCases } from './index.ts'

test('every requirement that binds a service is listed by a case', () => {
  const listed = new Set(
    [...conformanceCases(), ...casesForClients()].flatMap(({ requirements }) => requirements),
  )
  const missing = allRequirements().filter(({ id, level }) => isJudged(level) && !listed.has(assertedAs(id)))
  expect(missing.map(({ id }) => id)).toEqual([])
})

test('every boundary class that a requirement needs of a request has a case of its own', () => {
  const cases = conformanceCases()
  const missing = allRequirements().flatMap(({ id }) =>
    neededEvidence(id).boundaryClasses.filter((needed) => {
      const [, kind, name] = /^(refused|served)\.(.*)$/.exec(needed) ?? []
      const end = kind === 'refused' ? `.refuses.${name}` : `.serves.${name}`
      return kind && !cases.some((one) => one.id.endsWith(end) && one.requirements.includes(id))
    }),
  )
  expect(missing).toEqual([])
})

test('no case and no defect names a restatement: the requirement that it restates stands for both', () => {
  const named = [
    ...conformanceCases().flatMap(({ requirements }) => requirements),
    ...DEFECTS.map(({ breaks }) => breaks),
  ]
  expect(named.filter((id) => requirement(id).sameAs !== undefined)).toEqual([])
})

test('every case has an id of its own and lists a requirement', () => {
  const cases = conformanceCases()
  const ids = cases.map(({ id }) => id)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  expect(cases.filter(({ requirements }) => requirements.length === 0).map(({ id }) => id)).toEqual([])
})
