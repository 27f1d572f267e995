import { describe, expect, it } from 'vitest'
import { requirement } from '../../spec/requirements/index.ts'
import { type Anything, all, forged, goldenText } from '../testing/forge.ts'
import { judgeRecording } from '../verify/judgeRecording.ts'
import { RecordedChain } from '../verify/recordedChain.ts'
import { recordedHistory } from '../verify/recordedReports.ts'
import { summarizeRecording } from '../verify/summarizeRecording.ts'
import { verifyRecording } from '../verify/verifyRecording.ts'

const REORG = goldenText('reorg.moves-to-later-block')

/**
 * A recording whose build was answered otherwise, sealed again with the verdicts that the judges of the file alone give, so
 * that nothing in it contradicts anything else.
 */
function withBuild(text: string, change: (body: Anything) => void): string {
  const changed = forged(text, (recording) => {
    const http = all(recording, 'http').find(({ answer }) => answer?.status === 200) as Anything
    const body = JSON.parse(http.answer.body)
    change(body)
    http.answer.body = JSON.stringify(body)
    const headers = http.answer.headers
    headers['content-length'] = String(Buffer.byteLength(http.answer.body))
  })
  return forged(changed, (recording) => {
    const { entries } = recording
    const judged = judgeRecording(entries, recordedHistory(entries, new RecordedChain(entries)))
    let next = 0
    for (const [at, entry] of entries.entries()) {
      if (entry.kind !== 'verdicts') continue
      entries[at] = { n: at, ...judged[next] }
      next += 1
    }
  })
}

/** Scales every amount of the output, as a service would that got another quote from every venue. */
function scaled(route: Anything, factor: number): void {
  const to = (value: number) => Math.floor(value * factor * 1e6) / 1e6
  for (const entry of route.alternatives) {
    entry.amountOut = to(entry.amountOut)
    entry.netAmountOut = Math.round((entry.amountOut - entry.gasCostOut) * 1e6) / 1e6
  }
  const [winner, ...others] = route.alternatives
  for (const entry of others) entry.deltaBps = (1 - entry.netAmountOut / winner.netAmountOut) * 10_000
  route.amountOut = winner.amountOut
  route.midRate = route.amountOut / route.amountIn
}

async function failuresOf(text: string): Promise<readonly string[]> {
  return (await verifyRecording(text)).failures
}

describe('the amounts of an answer, when what the file says is free of contradiction', () => {
  it('are genuine to whoever executes nothing', async () => {
    const text = withBuild(REORG, ({ route }) => (route.alternatives[1].amountOut -= 0))
    expect((await verifyRecording(text, { execute: false })).failures).toEqual([])
    expect(await failuresOf(text)).toEqual([])
  })

  it.each<[string, string, (route: Anything) => void]>([
    [
      'what a venue behind the winner pays',
      'alternatives.amount-out',
      ({ alternatives }) => {
        alternatives[1].amountOut -= 0.1
        alternatives[1].netAmountOut -= 0.1
        alternatives[1].deltaBps += 0.8
      },
    ],
    [
      'the gas of a venue behind the winner',
      'alternatives.gas-cost.output-units',
      ({ alternatives }) => {
        alternatives[4].gasCostOut *= 2
        alternatives[4].netAmountOut =
          Math.round((alternatives[4].amountOut - alternatives[4].gasCostOut) * 1e6) / 1e6
        alternatives[4].deltaBps = (1 - alternatives[4].netAmountOut / alternatives[0].netAmountOut) * 10_000
      },
    ],
    ['the gas of the winner in ETH', 'route.network-fee.estimate', (route) => (route.networkFeeEth *= 3)],
    ['a venue that was left out', 'alternatives.complete', ({ alternatives }) => alternatives.splice(2, 1)],
    [
      'the price impact',
      'route.price-impact.against-mark',
      (route) => {
        route.priceImpactBps = 40
      },
    ],
  ])('are judged by executions: %s', async (_what, id, change) => {
    const text = withBuild(REORG, ({ route }) => change(route))
    expect((await verifyRecording(text, { execute: false })).failures).toEqual([])
    const [first = '', ...others] = await failuresOf(text)
    expect([first, ...others].some((each) => each.startsWith(`${id}: `))).toBe(true)
    const { section, clause } = requirement(id as Parameters<typeof requirement>[0])
    expect([first, ...others].join()).toContain(`(§${section}: "${clause}")`)
  })

  it('are found though all of them are off together, and the transaction says the same', async () => {
    const text = withBuild(REORG, (body) => {
      scaled(body.route, 0.99)
      const minimumRaw = BigInt(Math.round(body.route.amountOut * 1e6)) * 9950n
      const word = (minimumRaw / 10_000n).toString(16).padStart(64, '0')
      body.route.minimumReceived = Number(minimumRaw / 10_000n) / 1e6
      // The fourth argument of a swap by the venue itself.
      body.tx.data = `${body.tx.data.slice(0, 10 + 3 * 64)}${word}${body.tx.data.slice(10 + 4 * 64)}`
    })
    const failures = await failuresOf(text)
    expect(failures.join('\n')).toMatch(/^route\.amount-out: expected 1249\.5, actual 1237\.005/m)
    expect(failures.join('\n')).toMatch(/^build\.requotes\.live: expected 1249\.5, actual 1237\.005/m)
    const { summary } = await summarizeRecording(text)
    expect(summary).toMatchObject({ verdict: 'does-not-conform', refused: null })
    const failed = summary.answers.flatMap((answer) => answer.failures)
    expect(failed.find((each) => each.requirement === 'route.amount-out')).toMatchObject({
      seen: '1237.005',
      clause: requirement('route.amount-out').clause,
    })
  })
})

describe('the money of everybody', () => {
  it('is known to the wei around a build, and nothing is lost', async () => {
    const { execution } = await verifyRecording(goldenText('depth.eleven-twelve-thirteen'))
    const mined = (execution?.ledgers ?? []).filter(({ tx }) => tx !== null)
    expect(mined).toHaveLength(3)
    for (const { holdings } of mined) {
      const tokens = new Set(holdings.map(({ token }) => token))
      expect(tokens.size).toBe(3)
      const usdg = holdings.filter(({ token }) => token === '0x5fc5360d0400a0fd4f2af552add042d716f1d168')
      expect(usdg.reduce((sum, { beforeRaw, afterRaw }) => sum + afterRaw - beforeRaw, 0n)).toBe(0n)
      const isAlice = ({ holder }: { readonly holder: string }) =>
        holder === '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc'
      expect(usdg.filter(isAlice)).toHaveLength(1)
    }
  })
})
