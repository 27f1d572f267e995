import { expect, it } from 'vitest'
import { countsConventions, createEvidenceRecorder } from './evidence.ts'

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
