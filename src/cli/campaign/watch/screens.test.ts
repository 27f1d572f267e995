import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { campaignSight } from '../../testing/campaignSight.ts'
import { jsonScreen, plainScreen, terminalScreen } from './screens.ts'

function collected() {
  const [out, err]: [string[], string[]] = [[], []]
  const keep = (to: string[]) => (text: string) => to.push(...stripVTControlCharacters(text).split('\n'))
  return { out, err, output: { out: keep(out), err: keep(err) } }
}

const START = campaignSight({ failures: [], machines: [] })
const { campaign } = START.status
const [FAILURE] = campaignSight().status.failures

test('without a terminal each change of note is one line, and how far it is every tenth look', () => {
  const { out, output } = collected()
  const screen = plainScreen(output)
  const later = { ...START.status, campaign: { ...campaign, seedsDone: 12_500 } }
  screen.show(START)
  for (let look = 0; look < 9; look += 1) screen.show({ status: later, away: null })
  expect(out).toHaveLength(1)
  screen.show({ status: later, away: null })
  screen.show({ status: later, away: 'connection refused' })
  screen.show({ status: later, away: 'connection refused' })
  screen.show({ status: { ...later, machines: campaignSight().status.machines.slice(0, 1) }, away: null })
  const open = 'campaign 3f2a9c01, simulate, seeds 1..20000: '
  const rest = 'open, 21.6 seeds a second, 5 min left'
  expect(out).toEqual([
    `${open}12496 of 20000 done, ${rest}`,
    `${open}12500 of 20000 done, ${rest}`,
    'the database is away: connection refused; waiting for it',
    'the database responds again',
    'build-1 works on it',
  ])
})

test('without a terminal a failure is said once with its command, when it is shrunk, and the end', () => {
  const { out, output } = collected()
  const screen = plainScreen(output)
  screen.show(START)
  if (FAILURE === undefined) throw new Error('the example has no failure')
  const found = { ...START.status, failures: [{ ...FAILURE, shrunk: null }] }
  screen.show({ status: found, away: null })
  screen.show({ status: { ...found, failures: [{ ...FAILURE, shrunk: null, seeds: 18 }] }, away: null })
  screen.show({ status: { ...found, failures: [FAILURE] }, away: null })
  const finished = { ...campaign, seedsDone: 20_000, isFinished: true }
  screen.show({ status: { ...found, campaign: finished, failures: [FAILURE], leftS: null }, away: null })
  expect(out.slice(1)).toEqual([
    'fail 9b1c44d0a7e2f035 in 17 seeds, first 4102',
    '  again with: npx plumbline simulate --seed 4102 --runs 1',
    '  confirm.pending: expected 202, actual 200 (report 3, step 41) (step 41)',
    '9b1c44d0a7e2f035 was shrunk to 3 steps',
    'campaign 3f2a9c01, simulate, seeds 1..20000: 20000 of 20000 done, finished, 21.6 seeds a second',
    'coverage: 61 states met, 1 of 3 floors reached; below: struck: storeAfter 131/200, reported: 422 97/100',
  ])
})

test('as JSON each change of what is stored is a line, with the shape of campaign status', () => {
  const { out, err, output } = collected()
  const screen = jsonScreen(output)
  screen.show(START)
  screen.show({ status: { ...START.status, leftS: 300, seedsPerS: 22 }, away: 'gone' })
  const changed = { ...START.status, leftS: 299, campaign: { ...campaign, seedsDone: 12_500 } }
  screen.show({ status: changed, away: null })
  expect(out.map((line) => JSON.parse(line))).toEqual([START.status, changed])
  expect(err).toEqual(['the database is away: gone; waiting for it', 'the database responds again'])
})

test('a terminal is drawn on when something changed, or its size, and shows no more than fits', () => {
  const written: string[] = []
  const terminal = { columns: 80, rows: 12, write: (text: string) => written.push(text) > 0 }
  const screen = terminalScreen(terminal)
  screen.show(campaignSight())
  screen.show(campaignSight())
  expect(written).toHaveLength(1)
  const lines = stripVTControlCharacters(written[0] ?? '')
    .trimEnd()
    .split('\n')
  expect(lines.length).toBeLessThan(12)
  expect(lines[0]).toBe('Ctrl-C ends the watch, and not the campaign')
  expect(lines.at(-1)).toMatch(/… \d+ more lines/)
  terminal.columns = 60
  screen.show(campaignSight())
  screen.show({ ...campaignSight(), away: 'gone' })
  expect(written).toHaveLength(3)
})
