import { PARTNER_KEYS } from '../../../src/fixtures/partners.ts'
import type { Json } from '../../../src/runner/families/shrinkJson.ts'
import type { Target } from '../target.ts'
import { type RequestInput, startFuzzedService } from './service.ts'

const DEEP = 30_000

/** Fuzzes requests to the reference service: address, query, headers and body. */
export async function httpTarget(): Promise<Target> {
  const service = await startFuzzedService()
  return {
    bases: service.requests,
    // biome-ignore format: values side by side
    words: [
      'GET', 'HEAD', 'PUT', 'OPTIONS', 'TRACE', '/api/v1/quote', '/api/v1/swap/build', '/api/v1/swap/confirm', '/docs/', '/api/v1/quote/..',
      '/%', 'text/plain', 'application/json; charset=utf-16', 'gzip', 'chunked', 'WETH', 'TAXED', 'venue_f', 'market', '1e-18', '0.000001',
      '{"from":"ETH","from":"USDG"}', `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`, ...['[', '{"a":', '"'].map((open) => open.repeat(DEEP)),
      ...Object.values(PARTNER_KEYS).map(({ secret }) => `Bearer ${secret}`),
    ],
    editsText: false,
    run: async (text) => {
      await service.send((JSON.parse(text) ?? {}) as RequestInput)
    },
    stop: service.stop,
  }
}

/** Fuzzes the node's responses while the service handles valid requests. */
export async function rpcTarget(): Promise<Target> {
  const service = await startFuzzedService()
  const { node, requests, send } = service
  const bases: Record<string, Json> = {}
  for (const name of ['quote', 'quote-outside', 'build', 'build-all', 'confirm', 'health']) {
    node.look()
    await send(requests[name] as RequestInput)
    bases[name] = { answers: node.look() }
  }
  return {
    bases,
    // biome-ignore format: values side by side
    words: [
      '0x0', '0x1', '0x1237', `0x${'00'.repeat(32)}`, `0x${'ff'.repeat(32)}`, `0x${'00'.repeat(4_000)}`, '{', '[]', 'null',
      { code: 3, message: 'execution reverted', data: '0x08c379a0' },
      { code: -32000, message: { toString: 1 } },
      { error: { message: { toString: 1 } } },
    ],
    editsText: false,
    run: async (text, base) => {
      const { answers } = (JSON.parse(text) ?? {}) as { readonly answers?: unknown }
      node.instead = Array.isArray(answers) ? answers.map(textOfAnswer) : [textOfAnswer(answers)]
      await send(requests[base] as RequestInput)
    },
    stop: service.stop,
  }
}

function textOfAnswer(answer: unknown): string | null {
  if (typeof answer === 'string') return answer
  try {
    return JSON.stringify(answer) ?? null
  } catch {
    // Too deep for this side to write.
    return '['.repeat(DEEP)
  }
}
