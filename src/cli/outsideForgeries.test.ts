import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { PARTNER_KEYS } from '../fixtures/partners.ts'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { parseRecording } from '../recordings/format/file.ts'
import { FORGED_CASES, forgeOutside } from '../recordings/testing/forgeries/outside/forgery.ts'
import { OUTSIDE_FORGERIES } from '../recordings/testing/forgeries/outside/index.ts'
import { OUTSIDE_POINTS } from '../recordings/testing/forgeries/outside/points.ts'
import { timelineOf } from '../recordings/timeline/fromRecording.ts'
import { verdictOfVerified } from '../recordings/verify/summarizeRecording.ts'
import { type Verified, verifyRecording } from '../recordings/verify/verifyRecording.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { plumbline } from './testing/plumbline.ts'

const SERVICE = fileURLToPath(new URL('testdata/plain-service.mjs', import.meta.url))
/** The forged cases; each kind of build; reorganisations, overlapping reports, replaced contracts. */
const CASES = [
  ...Object.values(FORGED_CASES),
  'build.approval.venue_b',
  'build.executes.venue_d.fee-50',
  'build.fall-through.venue_b.revert-on-swap',
  'confirm.block-changed',
  'confirm.block-changed.meanwhile',
  'confirm.match.value',
]
/** Cases in which the service responds before it calls the node. */
const RESPONDING_FIRST = ['confirm.repeat.at-once', 'grammar.quote.partnerFeeRecipient']

const { path: directory } = temporaryFolder()
beforeAll(async () => {
  const { code, text } = await plumbline(
    ...['conform', '--start', `"${process.execPath}" "${SERVICE}"`, '--out', join(directory, 'out')],
    ...[
      '--record',
      join(directory, 'recorded'),
      ...[...CASES, ...RESPONDING_FIRST].flatMap((id) => ['--only', `case:${id}`]),
    ],
  )
  expect(code, text).toBe(EXIT.conforms)
})

const recorded = (id: string) => readFileSync(join(directory, 'recorded', `${id}.json`), 'utf8')

it('a carelessly written service is recorded, and none of its recordings is in doubt', async () => {
  expect(readdirSync(join(directory, 'recorded'))).toEqual(
    expect.arrayContaining([...CASES, ...RESPONDING_FIRST].map((id) => `${id}.json`)),
  )
  for (const id of [...CASES, ...RESPONDING_FIRST]) {
    const text = recorded(id)
    for (const { secret } of Object.values(PARTNER_KEYS)) expect(text).not.toContain(secret)
    const verified = await verifyRecording(text)
    expect([id, verdictOfVerified(verified), verified.failures]).toEqual([id, 'conforms', []])
    expect(verified.execution?.blocks).toBeGreaterThan(0)
  }
})

it('draws its calls before its responses, from the start of the case, and names the purpose of each transaction', () => {
  const timelines = CASES.map((id) => timelineOf(parseRecording(recorded(id))))
  const labels = timelines.flatMap(({ events }) =>
    events.flatMap((event) => (event.kind === 'step' ? [event.label] : [])),
  )
  const said = ['send a swap as built', 'send an approval', 'send a fee transfer']
  expect(labels).toEqual(
    expect.arrayContaining([...said, 'request POST /swap/confirm of tx 1', 'request POST /swap/build']),
  )
  for (const { base, events } of timelines) {
    expect((events[0]?.atMs ?? 0) - base.timestampS * 1_000).toBeLessThan(60_000)
    const kinds = events.flatMap(({ kind }) => (kind === 'rpc' || kind === 'answer' ? [kind] : []))
    expect(kinds.indexOf('rpc')).toBeLessThan(kinds.indexOf('answer'))
  }
})

/** Returns the ending of a forgery, with the message. */
async function endOf(text: string): Promise<readonly [string, string]> {
  let verified: Verified
  try {
    verified = await verifyRecording(text)
  } catch (error) {
    return ['refused', (error as Error).message]
  }
  const isBlamed = verdictOfVerified(verified) === 'does-not-conform'
  return [isBlamed ? 'violation' : 'pass', verified.failures.join('\n')]
}

it.each(OUTSIDE_FORGERIES)('a forged recording of it is $end.0: $part: $what', async (forgery) => {
  const genuine = recorded(FORGED_CASES[forgery.of])
  const text = forgeOutside(genuine, forgery)
  expect(text).not.toBe(genuine)
  const [ends, said] = await endOf(text)
  expect([ends, said]).toEqual([
    forgery.end[0],
    ends === 'refused' && forgery.end[0] === 'refused' ? expect.stringContaining(forgery.end[1]) : said,
  ])
})

it('the table has each kind once, more than sixty, and one for each point of what is not proved', () => {
  const names = OUTSIDE_FORGERIES.map(({ part, what }) => `${part}: ${what}`)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThan(60)
  const points = new Set<string>(
    OUTSIDE_FORGERIES.flatMap(({ end }) => (end[0] === 'refused' ? [] : [end[1]])),
  )
  expect(Object.keys(OUTSIDE_POINTS).filter((point) => !points.has(point))).toEqual([])
})
