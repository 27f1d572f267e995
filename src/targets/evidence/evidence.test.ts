import { expect, it } from 'vitest'
import { observeChoice } from '../../oracles/index.ts'
import type { Exchange } from '../../spec/exchange.ts'
import { countsConventions, createEvidenceRecorder, noteExchange, recordVerdicts } from './evidence.ts'
import { KEPT } from './kept.ts'

/** Records work that leaves other work behind; `left`: whether that still belongs to a recorder after `open`. */
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

it('follows no promise once the last recorder is done: work that it left behind belongs to none', async () => {
  const { check, open, left } = checkLeavingWork()
  await check
  open()
  expect(await left()).toBe(false)
})

it('still knows the outer recorder when an inner one is done', async () => {
  const outer = createEvidenceRecorder(true)
  const seen = await outer.collect(async () => {
    await createEvidenceRecorder(false).collect(async () => {})
    return countsConventions()
  })
  expect(seen).toBe(true)
})

it('keeps the beginning of the response that shows a choice at an open point', async () => {
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
