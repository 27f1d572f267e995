import { serve } from '../../targets/testing/misbehaving.ts'

/** Headers of a single connection, or that do not fit a changed body. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
])

/**
 * Returns a service with a defect: a proxy that changes the 200 responses of one endpoint.
 *
 * @param url the base URL of the service behind it.
 * @param spoil changes the body of a response in place.
 * @param endpoint the end of the path of that endpoint.
 * @param mount the path of its base URL; requests outside of it get 404.
 */
export async function startSpoiledService(
  url: string,
  spoil: (body: Record<string, unknown>) => void,
  endpoint: 'quote' | 'swap/confirm' = 'quote',
  mount = '',
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = await serve(async (request, response) => {
    if (!request.url?.startsWith(`${mount}/`)) {
      response.writeHead(404).end()
      return
    }
    const path = request.url.slice(mount.length)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = Object.entries(request.headers).filter(([name]) => !OF_THE_CONNECTION.has(name))
    const answer = await fetch(`${url}${path}`, {
      method: request.method ?? 'GET',
      headers: headers.map(([name, value]): [string, string] => [name, String(value)]),
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    })
    const text = await answer.text()
    response.writeHead(
      answer.status,
      Object.fromEntries([...answer.headers].filter(([name]) => !OF_THE_CONNECTION.has(name))),
    )
    if (answer.status !== 200 || !path.startsWith(`/api/v1/${endpoint}`)) {
      response.end(text)
      return
    }
    const body = JSON.parse(text) as Record<string, unknown>
    spoil(body)
    response.end(JSON.stringify(body))
  })
  return { ...server, url: `${server.url}${mount}` }
}
