import { expect, test } from 'vitest'
import { billProblems } from './billOfMaterials.ts'

const licenses = [{ license: { id: 'MIT' } }]
const COMPONENTS = [
  { name: 'zod', version: '1.0.0', licenses },
  { name: 'zod', version: '2.0.0', licenses },
  { group: '@noble', name: 'hashes', version: '3.0.0', licenses },
]

test('a bill of materials lists each version of what the package holds, with its licence', () => {
  expect(billProblems({ components: COMPONENTS }, { zod: '1.0.0, 2.0.0', '@noble/hashes': '3.0.0' })).toEqual(
    [],
  )
  expect(billProblems({ components: COMPONENTS.slice(1) }, { zod: '1.0.0, 2.0.0' })).toEqual([
    'bom.json does not list zod 1.0.0, which the package holds',
  ])
  expect(billProblems({ components: [{ name: 'ws', version: '8.0.0', licenses: [] }] }, {})).toEqual([
    'bom.json has no licence of ws 8.0.0',
  ])
})
