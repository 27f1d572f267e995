import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import { partsOf, renderCampaignPage } from '../../../reporting/html/renderCampaignPage.ts'
import type { CampaignView, PageChange } from '../../../reporting/report/campaign.ts'
import { UsageError } from '../../../spec/errors.ts'
import type { Address } from './address.ts'

/** A page that is served. */
export interface ServedPage {
  readonly url: string
  /** Sends all viewers what changed; or that the page is still served. */
  show(view: CampaignView): void
  close(): Promise<void>
}

/** Nothing can be served at an address. */
class PageAddressError extends UsageError {
  override readonly name = 'PageAddressError'
  constructor({ host, port }: Address, { message }: Error) {
    super(
      `the page cannot be served at ${host}:${port}: ${message}`,
      'Name another address with --serve HOST:PORT, or none for a free port of this machine.',
    )
  }
}

const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // The page has its own policy; this is what only a header can say.
  'content-security-policy': "frame-ancestors 'none'",
} as const
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost'])
/** Whoever does not read what is sent is cut off, and asks for everything again once it does. */
const UNREAD_BYTES_MAX = 4 * 1024 * 1024

/**
 * Serves the page of a campaign, which is kept up to date by events that the server sends.
 *
 * @throws {PageAddressError}
 */
export async function servePage(address: Address, first: CampaignView): Promise<ServedPage> {
  let view = first
  let sent = markupOf(first)
  const viewers = new Set<ServerResponse>()
  const app = fastify({ logger: false, forceCloseConnections: true })
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS)
    // A page of somebody else whose name resolves to this machine must not read this one.
    if (LOOPBACK.has(address.host) && !LOOPBACK.has(request.hostname.replace(/^\[(.*)\]$/, '$1')))
      return reply.code(421).type('text/plain').send('this page is served for this machine alone\n')
  })
  app.get('/', (_request, reply) => reply.type('text/html; charset=utf-8').send(renderCampaignPage(view)))
  app.get('/events', (request, reply) => {
    reply.hijack()
    const viewer = reply.raw
    viewers.add(viewer)
    viewer.on('error', () => {})
    request.raw.on('close', () => viewers.delete(viewer))
    viewer.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream' })
    viewer.write(eventOf(view.id, sent, new Map()))
  })
  try {
    await app.listen({ host: address.host, port: address.port })
  } catch (error) {
    throw new PageAddressError(address, error as Error)
  }
  const { port } = app.server.address() as AddressInfo
  const host = address.host.includes(':') ? `[${address.host}]` : address.host
  return {
    url: `http://${host}:${port}`,
    show: (next) => {
      view = next
      const markup = markupOf(next)
      const event = eventOf(next.id, markup, sent)
      sent = markup
      for (const viewer of viewers) {
        if (viewer.writableLength > UNREAD_BYTES_MAX) viewer.destroy()
        else viewer.write(event)
      }
    },
    close: () => app.close(),
  }
}

type Parts = ReadonlyMap<string, string>

function markupOf(view: CampaignView): Parts {
  return new Map(partsOf(view).map(([id, { text }]) => [id, text]))
}

/** What changed, as an event; where nothing did, that the server is still there. */
function eventOf(page: string, parts: Parts, before: Parts): string {
  const changed = [...parts].filter(([id, text]) => before.get(id) !== text)
  const order = [...parts.keys()]
  if (changed.length === 0 && order.length === before.size) return 'event: here\ndata: here\n\n'
  const change: PageChange = { page, order, parts: Object.fromEntries(changed) }
  return `event: change\ndata: ${JSON.stringify(change)}\n\n`
}
