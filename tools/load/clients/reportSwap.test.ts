import { expect, onTestFinished, test } from 'vitest'
import { split } from '../../../src/simulation/seed.ts'
import { serve } from '../../../src/targets/testing/misbehaving.ts'
import { CLIENT_KEYS } from '../setup/keys.ts'
import { emptyJournal } from './journal.ts'
import { reportSwap } from './reportSwap.ts'

const TWINS = ['build-1', 'build-2']
const [KEY] = CLIENT_KEYS

test('a report for the other of two builds that are alike is never counted as a false claim', async () => {
  const { url, stop } = await serve((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end('{"recorded":true,"alreadyRecorded":true}')
  })
  onTestFinished(stop)
  const journal = emptyJournal()
  const answered = { validUntilMs: 0, to: '0x', data: '0x', value: '0' }
  for (const buildId of TWINS) {
    const build = { ...answered, buildId }
    journal.builds.push({ keyId: KEY.keyId, sender: '0x', build })
  }
  for (let seed = 0; seed < 60; seed += 1) {
    const client = { journal, urls: [url], stream: split(seed, 'client'), account: '0x' }
    await reportSwap({ ...client, endsAtMs: () => null } as never, KEY, TWINS, '0xab')
  }
  expect(journal.reports.length).toBeGreaterThan(120)
  expect(journal.reports.filter(({ genuine, keyId }) => !genuine && keyId === KEY.keyId)).toEqual([])
})
