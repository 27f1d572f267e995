import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { campaignSight } from '../../testing/campaignSight.ts'
import { linesOf } from './lines.ts'

const textOf = (...shown: Parameters<typeof linesOf>) =>
  linesOf(...shown).map((line) => stripVTControlCharacters(line))

test.each([40, 80, 120])('all that is drawn fits %i columns, but the commands to be copied', (width) => {
  const lines = textOf(campaignSight(), width)
  const commands = lines.filter((line) => line.includes(' simulate --seed '))
  expect(commands).toEqual([
    '  npx plumbline simulate --seed 4102 --runs 1',
    '  npx plumbline simulate --seed 11870 --runs 1',
  ])
  for (const line of lines) if (!commands.includes(line)) expect(line.length, line).toBeLessThanOrEqual(width)
  const text = lines.join(' ').replaceAll(/\s+/g, ' ')
  expect(text).toContain('campaign 3f2a9c01, simulate, seeds 1..20000: open, 21.6 seeds a second, 5 min left')
  expect(text).toContain('coverage: 61 states met, 1 of 3 floors reached; below: struck: storeAfter 131/200,')
  expect(text).toContain('fail 9b1c44d0a7e2f035 in 17 seeds, first 4102; shrunk to 3 steps')
  expect(text).toContain('confirm.pending: expected 202, actual 200 (report 3, step 41) (step 41)')
  for (const machine of ['build-1', 'build-2', 'laptop']) expect(text).toContain(machine)
})

test.each([
  [40, 0, `${'░'.repeat(24)} 0 of 20,000, 0%`],
  [80, 12_496, `${'█'.repeat(36)}${'░'.repeat(22)} 12,496 of 20,000, 62%`],
  [120, 12_496, `${'█'.repeat(37)}${'░'.repeat(23)} 12,496 of 20,000, 62%`],
  [40, 20_000, `${'█'.repeat(17)} 20,000 of 20,000, 100%`],
])('at %i columns the bar of %i seeds is as long as it may be', (width, seedsDone, bar) => {
  const { status } = campaignSight()
  const sight = campaignSight({ campaign: { ...status.campaign, seedsDone } })
  expect(textOf(sight, width).filter((line) => /[█░]/.test(line))).toEqual([bar])
})

test('of a hundred machines the busiest have a row, and the others one together', () => {
  const machines = Array.from({ length: 100 }, (_, index) => ({
    ...{ machine: `machine-${index}`, ranges: 2, seeds: 10 },
    inHand: index === 77 ? 9 : 1,
  }))
  const rows = textOf(campaignSight({ machines }), 80).filter((line) => /machine-|more/.test(line))
  expect(rows).toHaveLength(7)
  expect(rows[0]).toContain('machine-77')
  expect(rows[6]).toMatch(/94 more .* 188 .* 940 .* 94 /)
})

test('a message of a target cannot speak to the terminal, nor a database that is away', () => {
  const [failure] = campaignSight().status.failures
  const hostile = 'first\n\x1b[2J\x1b]0;owned\x07::error::'
  const sight = campaignSight({ failures: failure === undefined ? [] : [{ ...failure, message: hostile }] })
  const lines = linesOf({ ...sight, away: `gone\x1b[31m` }, 80).join('\n')
  for (const command of ['\x1b[2J', '\x1b]', '\x07', 'gone\x1b']) expect(lines).not.toContain(command)
  expect(stripVTControlCharacters(lines)).toContain('the database is away: gone\\u001b[31m; waiting for it')
})

test('a campaign that was stopped says why', () => {
  const { campaign } = campaignSight().status
  const problem = 'the range 11..15 could not be run'
  const lines = textOf(
    campaignSight({ campaign: { ...campaign, isStopped: true, problem }, leftS: null }),
    80,
  )
  expect(lines[0]).toBe('campaign 3f2a9c01, simulate, seeds 1..20000: stopped, 21.6 seeds a second')
  expect(lines).toContain(`stopped: ${problem}`)
})
