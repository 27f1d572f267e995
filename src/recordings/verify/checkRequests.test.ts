import { describe, expect, it } from 'vitest'
import { type StepOf, stepSchema } from '../../simulation/steps/steps.ts'
import { parseRecording } from '../format/file.ts'
import { type Anything, all, forged, goldenText } from '../testing/forge.ts'
import { checkRequests } from './checkRequests.ts'
import { ContradictionError } from './errors.ts'
import { judgeRecording } from './judgeRecording.ts'
import { RecordedChain } from './recordedChain.ts'
import { recordedHistory } from './recordedReports.ts'
import { verifyRecording } from './verifyRecording.ts'

/** A build, and a report of it that is answered with 202. */
const TEXT = goldenText('window.still-pending-at-end')

/** Changed and sealed again, with the verdicts that the judges give of what is left. */
function rejudged(change: (recording: Anything) => void): string {
  const changed = forged(TEXT, change)
  return forged(changed, (recording) => {
    const happened = recording.entries.filter(({ kind }: Anything) => kind !== 'verdicts')
    const judged = judgeRecording(happened, recordedHistory(happened, new RecordedChain(happened)))
    const [provenance] = happened.splice(-1)
    recording.entries = [...happened, ...judged, provenance]
  })
}

const exchange = (recording: Anything, endpoint: string): Anything =>
  all(recording, 'http').find(({ path }) => path.endsWith(endpoint))

function withoutEntries(recording: Anything, isGone: (entry: Anything) => boolean): void {
  recording.entries = recording.entries.filter((entry: Anything) => !isGone(entry))
  const left = JSON.stringify(recording.entries)
  const blobs = Object.entries(recording.blobs).filter(([key]) => left.includes(`sha256:${key}`))
  recording.blobs = Object.fromEntries(blobs)
}

async function refusalOf(text: string): Promise<string> {
  const error: unknown = await verifyRecording(text, { execute: false }).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof ContradictionError) return `${error.field}`
  throw error ?? new Error('the recording was believed')
}

describe('a forger who seals again', () => {
  it('is believed as long as nothing is forged', async () => {
    expect(
      (
        await verifyRecording(
          rejudged(() => {}),
          { execute: false },
        )
      ).failures,
    ).toEqual([])
  })

  it.each<[string, string, (recording: Anything) => void]>([
    [
      'leaves out an exchange',
      'op',
      (recording) => {
        const { id } = exchange(recording, 'confirm')
        withoutEntries(recording, ({ kind, http, ...of }) => http === id || (kind === 'http' && of.id === id))
      },
    ],
    [
      'leaves out what a report is judged by',
      'id',
      (recording) => withoutEntries(recording, (entry) => entry.kind === 'report'),
    ],
    [
      'calls an answered report lost',
      'lost',
      (recording) => {
        const [report] = all(recording, 'report') as Anything[]
        report.lost = true
      },
    ],
    [
      'has a report go where nobody judges it',
      'id',
      (recording) => {
        exchange(recording, 'confirm').path += 'ed'
        withoutEntries(recording, (entry) => entry.kind === 'report')
      },
    ],
    ['moves an exchange to another step', 'step', (recording) => (exchange(recording, 'confirm').step = '1')],
    ['moves an exchange into another', 'within', (recording) => (exchange(recording, 'confirm').within = 0)],
    [
      'asks for more than the script',
      'body',
      (recording) => {
        const http = exchange(recording, 'build')
        http.body = JSON.stringify({ ...JSON.parse(http.body), slippageBps: 5000 })
      },
    ],
    [
      'asks for two amounts',
      'body',
      (recording) => {
        const http = exchange(recording, 'build')
        http.body = http.body.replace('{', '{"amount":77,')
      },
    ],
    [
      'asks for somebody else',
      'body',
      (recording) => {
        const http = exchange(recording, 'build')
        http.body = http.body.replace(/("sender":"0x)../, '$1ab')
      },
    ],
  ])('%s: refused', async (_what, field, forge) => {
    expect(await refusalOf(rejudged(forge))).toBe(field)
  })
})

describe('a recorded quote', () => {
  const { entries } = parseRecording(TEXT)
  const step = stepSchema.parse({ op: 'quote', key: 'one', query: { from: 'ETH', to: 'USDG', amount: 1 } })
  const named = { transactions: new Map(), builds: new Map() }
  const [built] = all({ entries }, 'http')
  const check = (path: string) =>
    checkRequests(
      entries,
      step as StepOf<'quote'>,
      [[3, { ...(built as Anything), method: 'GET', body: null, path }]],
      named,
      { at: 4 },
    )

  it('is that of the script', () => {
    expect(() => check('/api/v1/quote?from=ETH&to=USDG&amount=1')).not.toThrow()
  })

  it.each([
    ['of an endpoint that nobody judges', '/api/v1/quotes?from=ETH&to=USDG&amount=1'],
    // The judges take the last of them.
    ['of another amount, written twice', '/api/v1/quote?from=ETH&to=USDG&amount=1&amount=2'],
    ['with a parameter of its own', '/api/v1/quote?from=ETH&to=USDG&amount=1&partnerFeeBps=50'],
    ['without one of its parameters', '/api/v1/quote?from=ETH&to=USDG'],
  ])('is refused: %s', (_what, path) => {
    expect(() => check(path)).toThrow(ContradictionError)
  })
})
