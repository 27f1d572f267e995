import { expect, it } from 'vitest'
import { withBlock } from './withBlock.ts'

const GUIDE =
  'before\n<!-- figures: one -->\nold\n<!-- /figures -->\nbetween\n<!-- figures: two -->\n<!-- /figures -->\n'

it('replaces the block between the markers of its name, and nothing else', () => {
  expect(withBlock(GUIDE, 'figures: two', 'new')).toBe(
    'before\n<!-- figures: one -->\nold\n<!-- /figures -->\nbetween\n<!-- figures: two -->\n\nnew\n\n<!-- /figures -->\n',
  )
  expect(() => withBlock(GUIDE, 'figures: three', 'new')).toThrow(RangeError)
})
