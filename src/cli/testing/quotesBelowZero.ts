import type { RequestListener } from 'node:http'

/** Returns a service with the rules of `amount` only. @param belowZero the status for amounts below zero. */
export function quotesBelowZero(belowZero: number): RequestListener {
  return (request, response) => {
    const amount = new URL(request.url ?? '/', 'http://localhost').searchParams.get('amount')
    const status = Number(amount) > 0 ? 200 : Number(amount) < 0 ? belowZero : 400
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(status === 200 ? { route: {} } : { error: 'refused' }))
  }
}
