import type { RequestListener } from 'node:http'

/** As much of a service as the rules of `amount` need. @param belowZero the status of its response to an amount below zero. */
export function quotesBelowZero(belowZero: number): RequestListener {
  return (request, response) => {
    const amount = new URL(request.url ?? '/', 'http://localhost').searchParams.get('amount')
    const status = Number(amount) > 0 ? 200 : Number(amount) < 0 ? belowZero : 400
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(status === 200 ? { route: {} } : { error: 'refused' }))
  }
}
