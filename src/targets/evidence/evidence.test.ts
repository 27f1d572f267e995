import { expect, it } from 'vitest'
import { observeChoice } from '../../oracles/index.ts'
import type { Exchange } from '../../spec/exchange.ts'
import { countsConventions, createEvidenceRecorder, noteExchange, recordVerdicts } from './evidence.ts'
import { KEPT } from './kept.ts'

/** Returns a check that leaves work behind: whether the work still belongs to a check once `open` was called. */
function checkLeavingWork() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  let left: Promise<boolean> = Promise.resolve(false)
  const check = createEvidenceRecorder(true).collect(async () => {
    left = opened.then(() => countsConventions())
  })
  return { check, open, left: () => left }
}

it('follows no promise once the last check is over: what it left behind belongs to none', async () => {
  const { check, open, left } = checkLeavingWork()
  await check
  open()
  expect(await left()).toBe(false)
})

it('still knows the check that is running when another ends', async () => {
  const outer = createEvidenceRecorder(true)
  const seen = await outer.collect(async () => {
    await createEvidenceRecorder(false).collect(async () => {})
    return countsConventions()
  })
  expect(seen).toBe(true)
})

it('keeps the beginning of the answer that shows what a target does at an open point', async () => {
  const exchange: Exchange = {
    request: { method: 'GET', path: `/${'p'.repeat(1_000_000)}`, headers: {}, body: null },
    response: { status: 200, headers: { x: 'h'.repeat(1_000_000) }, body: 'b'.repeat(1_000_000) },
  }
  const recorder = createEvidenceRecorder(false)
  await recorder.collect(async () => {
    noteExchange(exchange)
    recordVerdicts([observeChoice('quote.same-token', 'no-route')])
  })
  const [choice] = recorder.choices()
  expect(choice?.exchange?.response.body).toMatch(/^b+… \(cut: 1000000 bytes read/)
  expect(JSON.stringify(choice).length).toBeLessThan(3 * KEPT.bodyCharacters)
})
