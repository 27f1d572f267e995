import { expect, test } from 'vitest'
import type { HttpRequest } from '../../spec/exchange.ts'
import { LateResponseError, TargetGoneError, TargetSilentError } from '../errors.ts'
import { createEvidenceRecorder } from '../evidence/evidence.ts'
import { watchLiveness } from './liveness.ts'

const URL = 'http://127.0.0.1:1'
const PLAIN = { swap: { from: 'USDG', to: 'DUSD', amount: 5 }, key: 'secret' }
const CONFIRM = { method: 'POST', path: '/api/v1/swap/confirm', headers: {}, body: '{}' }
const late = () => new LateResponseError('limits.quote-duration', 'a response within 15000 ms', 'none')
const silent = () => new TargetSilentError(URL, 'the connection failed (ECONNRESET)')

/** Returns a target whose responses `state` decides, and the requests that reached it. */
function watched(state: { problem: (() => Error) | null }) {
  const sent: HttpRequest[] = []
  const liveness = watchLiveness(
    async (request) => {
      sent.push(request)
      if (state.problem !== null) throw state.problem()
      return { status: 200, headers: {}, body: '{}' }
    },
    URL,
    PLAIN,
  )
  const silence = async (times: number) => {
    for (let count = 0; count < times; count += 1) await expect(liveness.transport(CONFIRM)).rejects.toThrow()
  }
  return { ...liveness, sent, silence }
}

test.each([
  ['late', late],
  ['silent', silent],
])('after three %s responses in a row no further request waits', async (_, problem) => {
  const { silence, sent } = watched({ problem })
  await silence(5)
  expect(sent).toHaveLength(3)
})

test('a target that has ended is not waited for, and each request says why', async () => {
  const { transport, silence } = watched({ problem: () => new TargetGoneError(URL, 'its process ended') })
  await silence(5)
  await expect(transport(CONFIRM)).rejects.toThrow('its process ended')
})

test('requests that were open at the same time are one silence', async () => {
  const { transport, silence, sent } = watched({ problem: silent })
  await Promise.allSettled(Array.from({ length: 4 }, () => transport(CONFIRM)))
  await silence(3)
  expect(sent).toHaveLength(6)
})

test('a target that responds to a plain quote is alive, however often it was late before', async () => {
  const state: { problem: (() => Error) | null } = { problem: late }
  const { transport, check, silence, sent } = watched(state)
  await silence(3)
  state.problem = null
  await check()
  expect(sent.at(-1)).toMatchObject({
    method: 'GET',
    path: '/api/v1/quote?from=USDG&to=DUSD&amount=5',
    headers: { authorization: 'Bearer secret' },
  })
  expect((await transport(CONFIRM)).status).toBe(200)
})

test('a target that does not respond to the plain quote stays down, and is not checked again', async () => {
  const state: { problem: (() => Error) | null } = { problem: late }
  const { check, silence, sent } = watched(state)
  await silence(3)
  await check()
  state.problem = null
  await check()
  await silence(1)
  expect(sent).toHaveLength(4)
})

test('a target that is not in doubt is not checked', async () => {
  const { check, silence, sent } = watched({ problem: late })
  await silence(2)
  await check()
  expect(sent).toHaveLength(2)
})

test('a check is not evidence for the case that is running', async () => {
  const { check, silence } = watched({ problem: late })
  await silence(3)
  const recorder = createEvidenceRecorder()
  await recorder.collect(check)
  expect(recorder.judged()).toEqual([])
})
