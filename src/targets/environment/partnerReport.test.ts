import { expect, test } from 'vitest'
import type { HttpRequest } from '../../spec/exchange.ts'
import { PARTNER_REPORT } from '../../spec/partnerReport.ts'
import { capabilitiesSchema } from '../description.ts'
import { createClient } from './client.ts'
import { onceCurrent, partnerReportOf } from './partnerReport.ts'

const declared = (partnerReport: object) =>
  capabilitiesSchema.safeParse({
    schema: 'plumbline-capabilities/1',
    capabilities: ['partner-report'],
    partnerReport,
  })

/** Returns a client of a service that answers everything with this body, and the requests that it got. */
function clientOf(body: object, named: Parameters<typeof partnerReportOf>[0]) {
  const asked: HttpRequest[] = []
  const client = createClient(
    async (request) => {
      asked.push(request)
      return { status: 200, headers: {}, body: JSON.stringify(body) }
    },
    'secret',
    [],
    partnerReportOf(named),
  )
  const get = (path: string) => client.send({ method: 'GET', path, headers: {}, body: null })
  return { asked, get, client }
}

test('a report at another path is requested there, and read under the names of the suite', async () => {
  const body = { totals: { swaps: 2 }, last: '2026-01-01T00:00:00Z', estimatedInputUsd: 5 }
  const named = {
    path: '/admin/totals',
    fields: { confirmedSwaps: 'totals.swaps', lastConfirmationAt: 'last' },
  }
  const { asked, get, client } = clientOf(body, named)
  const answer = await get(PARTNER_REPORT.path)
  expect(asked.map(({ path }) => path)).toEqual(['/admin/totals'])
  expect(answer.json).toMatchObject({
    confirmedSwaps: 2,
    lastConfirmationAt: '2026-01-01T00:00:00Z',
    estimatedInputUsd: 5,
  })
  // The evidence is the data that was sent.
  expect(client.transcript[0]?.request.path).toBe('/admin/totals')
  expect(JSON.parse(client.transcript[0]?.response.body ?? '')).toEqual(body)
})

test('a report whose figures lag is requested once they are current', async () => {
  const passedMs: number[] = []
  const served: string[] = []
  const answer = { status: 200, headers: {}, body: '{}' }
  const transport = async ({ path }: HttpRequest) => {
    served.push(`${path} after ${passedMs}`)
    return answer
  }
  const pass = async (deltaMs: number) => void passedMs.push(deltaMs)
  const late = onceCurrent(transport, partnerReportOf({ path: '/totals', lagS: 5 }), pass)
  for (const path of ['/api/v1/quote', '/totals'])
    await late({ method: 'GET', path, headers: {}, body: null })
  expect(served).toEqual(['/api/v1/quote after ', '/totals after 5000'])
  expect(onceCurrent(transport, partnerReportOf(undefined), pass)).toBe(transport)
})

test('other requests, and a report without a mapping, stay as they are', async () => {
  const elsewhere = clientOf({ confirmedSwaps: 1 }, { path: '/admin', fields: { confirmedSwaps: 'swaps' } })
  expect((await elsewhere.get('/api/v1/quote')).json).toEqual({ confirmedSwaps: 1 })
  const here = clientOf({ confirmedSwaps: 1 }, undefined)
  expect((await here.get(PARTNER_REPORT.path)).json).toEqual({ confirmedSwaps: 1 })
  expect(here.asked[0]?.path).toBe(PARTNER_REPORT.path)
})

test('the capabilities file takes a path below the base URL, and known figures', () => {
  expect(declared({ path: '/totals', fields: { unpricedSwaps: 'a.b' } }).success).toBe(true)
  expect(declared({ path: 'totals' }).success).toBe(false)
  expect(declared({ fields: { swaps: 'a' } }).success).toBe(false)
})
