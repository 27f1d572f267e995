import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ACCEPTED } from '../spec/requirements/accepted.ts'
import { guidanceOf } from '../spec/requirements/guidance.ts'
import { allRequirements, isRequirementId, requirement } from '../spec/requirements/index.ts'
import { TOLERANCES } from '../spec/tolerances.ts'

/** Requirements whose condition only one value or one form satisfies. */
const EXACT: ReadonlySet<string> = new Set([
  ...['alternatives.winner-first', 'amounts.base-unit-strings', 'attribution.populated'],
  ...['versioning.attribution-in-v1', 'build.fee-transfer.skippable', 'build.minimum.reverts'],
  ...['build.prefer-engine.forces', 'build.response.engine', 'build.returns-transaction'],
  ...['build.sender.submits', 'fees.only-partner', 'hops.dex', 'hops.from', 'hops.to', 'hops.share'],
  ...['quote.no-price.not-an-error', 'quote.no-price.null-route', 'quote.no-price.zero-envelope'],
  ...['quote.prefer-engine.only', 'route.network-fee.positive', 'route.quote-id.distinct'],
  ...['service.market-only-result', 'service.venue-ids', 'tx.data', 'tx.to', 'tx.to.contract'],
  ...['tx.value.decimal', 'tx.value.native'],
])

/** Returns the requirements that are judged by a condition of their own, not by equality or by the form of a field. */
function judgedByCondition(): readonly string[] {
  const files = readdirSync('src/oracles', { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('client/'),
  )
  const found = files.flatMap((file) =>
    [...readFileSync(`src/oracles/${file}`, 'utf8').matchAll(/\bjudge\(\s*'([a-z][\w.-]+)'/g)].map(
      ([, id = '']) => id,
    ),
  )
  return [...new Set(found)].sort()
}

test('every must that is judged by a condition says how far a figure may be off or which readings pass, or is exact', () => {
  const musts = judgedByCondition().filter((id) => isRequirementId(id) && requirement(id).level === 'must')
  const isStated = (id: string) => isRequirementId(id) && guidanceOf(id).length > 1
  expect(musts.length).toBeGreaterThan(50)
  expect(musts.filter((id) => !isStated(id) && !EXACT.has(id))).toEqual([])
  expect([...EXACT].filter((id) => isStated(id) || !musts.includes(id))).toEqual([])
})

test('readings and tolerances belong to requirements that are asserted, and are a sentence each', () => {
  const asserted = new Set<string>(
    allRequirements()
      .filter(({ level, sameAs }) => (level === 'must' || level === 'convention') && sameAs === undefined)
      .map(({ id }) => id),
  )
  const ids = [...Object.keys(ACCEPTED), ...TOLERANCES.flatMap(({ of }) => of)]
  expect(ids.filter((id) => !asserted.has(id))).toEqual([])
  const texts = Object.values(ACCEPTED).flat()
  expect(texts.filter((text) => text.length > 160 || text.endsWith('.'))).toEqual([])
})
