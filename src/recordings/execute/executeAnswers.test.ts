import { describe, expect, it } from 'vitest'
import { requirement } from '../../spec/requirements/index.ts'
import { forged, goldenText } from '../testing/forge.ts'
import { rejudged } from '../testing/forgeries/forgery.ts'
import { worse } from '../testing/forgeries/judged.ts'
import { summarizeRecording } from '../verify/summarizeRecording.ts'
import { verifyRecording } from '../verify/verifyRecording.ts'

const REORG = goldenText('reorg.moves-to-later-block')

describe('wrong amounts of an answer, in a file without contradictions', () => {
  it('are found although all of them are scaled alike and the transaction agrees', async () => {
    const text = forged(REORG, (recording) => {
      worse(recording)
      rejudged(recording)
    })
    const failures = (await verifyRecording(text)).failures.join('\n')
    const { section, clause } = requirement('route.amount-out')
    expect(failures).toMatch(/^route\.amount-out: expected 1249\.5, actual 1237\.005/m)
    expect(failures).toContain(`(§${section}: "${clause}")`)
    expect(failures).toMatch(/^build\.requotes\.live: expected 1249\.5, actual 1237\.005/m)
    const { summary } = await summarizeRecording(text)
    expect(summary).toMatchObject({ verdict: 'does-not-conform', refused: null })
    const failed = summary.answers.flatMap((answer) => answer.failures)
    expect(failed.find((each) => each.requirement === 'route.amount-out')).toMatchObject({
      actual: '1237.005',
      clause,
    })
  })
})

describe('the balances of all accounts', () => {
  it('are known to the wei before and after a build, and nothing is lost', async () => {
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
