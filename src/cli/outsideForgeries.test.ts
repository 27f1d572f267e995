import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { PARTNER_KEYS } from '../fixtures/partners.ts'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { parseRecording } from '../recordings/format/file.ts'
import { type Anything, forged } from '../recordings/testing/forge.ts'
import { rejudged } from '../recordings/testing/forgeries/forgery.ts'
import {
  answerWith,
  BUILD,
  exchanges,
  FORGED_CASES,
  forgeOutside,
} from '../recordings/testing/forgeries/outside/forgery.ts'
import { OUTSIDE_FORGERIES } from '../recordings/testing/forgeries/outside/index.ts'
import { OUTSIDE_POINTS } from '../recordings/testing/forgeries/outside/points.ts'
import { timelineOf } from '../recordings/timeline/fromRecording.ts'
import { verdictOfVerified } from '../recordings/verify/summarizeRecording.ts'
import { type Verified, verifyRecording } from '../recordings/verify/verifyRecording.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import type { PlumblineError } from '../spec/errors.ts'
import { plumbline, verifyHere } from './testing/plumbline.ts'

const SERVICE = fileURLToPath(new URL('testdata/plain-service.mjs', import.meta.url))
/** The forged cases; each kind of build; a refusal; reorganisations, overlapping reports, replaced contracts. */
const CASES = [
  ...Object.values(FORGED_CASES),
  'build.approval.venue_b',
  'build.executes.venue_d.fee-50',
  'build.fall-through.venue_b.revert-on-swap',
  'confirm.block-changed',
  'confirm.block-changed.meanwhile',
  'confirm.match.calldata',
  'confirm.match.value',
  'confirm.walk.6',
]
/** Cases without transactions. */
const QUOTES = ['grammar.quote.partnerFeeRecipient', 'quote.refuses.amount.zero']
/** A case in which the service responds before it calls the node. */
const RESPONDING_FIRST = 'confirm.repeat.at-once'
const SCENARIO = 'scenario.reorg.moves-to-later-block'
const RECORDED = [...CASES, ...QUOTES, RESPONDING_FIRST, SCENARIO]

const folder = temporaryFolder()
const recordings = folder.at('recorded')
beforeAll(async () => {
  const { code, text } = await plumbline(
    ...['conform', '--start', `"${process.execPath}" "${SERVICE}"`, '--instances', '2', '--with-scenarios'],
    ...['--out', folder.at('out'), '--record', recordings],
    // An id alone would also select the cases of a requirement with that id.
    ...RECORDED.flatMap((id) => ['--only', `case:${id}`]),
  )
  expect(code, text).toBe(EXIT.conforms)
})

const pathOf = (id: string) => join(recordings, `${id}.json`)
const recorded = (id: string) => readFileSync(pathOf(id), 'utf8')

it('two copies of a carelessly written service are recorded case by case, and no recording is in doubt', async () => {
  expect(readdirSync(recordings)).toEqual(expect.arrayContaining(RECORDED.map((id) => `${id}.json`)))
  for (const id of RECORDED) {
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

describe('the recording of a case', () => {
  const DOWN = 'confirm.upstream.down'

  it('shows what happened: the requests, what was done to the chain, and what is not recorded', async () => {
    const { code, text } = await plumbline('show', pathOf(DOWN))
    expect(code).toBe(EXIT.conforms)
    for (const part of ['the line to the chain is down', 'POST /swap/confirm → 503', 'mine 12 blocks'])
      expect(text).toContain(part)
    expect(text).toContain('not recorded')
    expect((await plumbline('show', pathOf(SCENARIO))).text).toContain('REORGANISED')
  })

  it('is judged by the amounts that the venues would have paid', async () => {
    const { execution } = await verifyRecording(recorded(DOWN))
    expect(execution?.venueQuotes).toBeGreaterThan(0)
    expect(execution?.withReplacedCode).toEqual([])
    const forgery = forged(recorded(DOWN), worse)
    expect((await verifyRecording(forgery)).failures.join('\n')).toContain('alternatives.amount-out')
    const unexecuted = await verifyRecording(forgery, { execute: false })
    expect(unexecuted.failures.join('\n')).not.toContain('alternatives.amount-out')
  })

  it('states the assumptions of its verdicts, which only the file states', async () => {
    const { text } = await verifyHere(pathOf(DOWN), '--no-execute')
    expect(text).toContain(
      'judged as the file says: profile sandbox, capabilities attribution, permit2; conventions do not count',
    )
    expect(text).not.toContain('used, and not judged')
    const path = folder.write(
      'forged-capabilities.json',
      forged(recorded(DOWN), (recording) => {
        const { outside } = recording.entries[0]
        outside.capabilities = outside.capabilities.filter((each: string) => each !== 'attribution')
        outside.strict = true
        rejudged(recording)
      }),
    )
    const believed = await verifyHere(path, '--no-execute')
    expect(believed.code, believed.text).toBe(EXIT.conforms)
    expect(believed.text).toContain('capabilities permit2; conventions count')
    expect(believed.text).toContain('used, and not judged: attribution')
    // The other commands say the same.
    expect((await plumbline('show', path)).text).toContain('used, and not judged: attribution')
    await plumbline('report', '--recording', path, '--out', folder.at('page'))
    const page = readFileSync(folder.at('page/report.html'), 'utf8').replaceAll('<wbr>', '')
    expect(page).toContain('used, and not judged: attribution')
  })

  it('cannot be replayed, and says what to do instead', async () => {
    const { code, text } = await plumbline('replay', pathOf(DOWN))
    expect(code).toBe(EXIT.inconclusive)
    expect(text).toContain('it was recorded from outside, and holds no service to run again')
    expect(text).toContain('`plumbline verify` proves this one')
  })
})

/** Changes the amounts of a build by the same factor, with matching verdicts: only an execution shows it. */
function worse(recording: Anything): void {
  const [http] = exchanges(recording, BUILD)
  const body = JSON.parse(http.answer.body)
  for (const each of [body.route, ...body.route.alternatives]) {
    each.amountOut *= 0.99
    if (each.netAmountOut !== undefined) each.netAmountOut = each.amountOut - each.gasCostOut
  }
  answerWith(http, 200, body)
  rejudged(recording)
}

/** Returns the ending of a forgery, with the message. */
async function endOf(text: string): Promise<readonly [string, string]> {
  let verified: Verified
  try {
    verified = await verifyRecording(text)
  } catch (error) {
    const { message, advice } = error as PlumblineError
    // A service from outside cannot be run again.
    expect(advice).not.toContain('plumbline replay')
    return ['refused', message]
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
