import { PARTNER_KEYS } from '../src/fixtures/partners.ts'
import type { Case } from '../src/harness/arena.ts'
import type { Answer } from '../src/harness/client.ts'
import { insist, sightOf } from './support/expect.ts'
import { bodyFor, EVERYWHERE } from './support/swaps.ts'

const UNKNOWN = { buildId: '00000000-0000-4000-8000-000000000000', txHash: `0x${'ab'.repeat(32)}` }

/** §4, §9: bodies and paths of every endpoint. */
export const serviceChecks: readonly Case[] = [
  {
    id: 'service.json-bodies',
    title: 'answers and refusals of every endpoint are JSON, and say so',
    requirements: ['service.json-bodies', 'versioning.path', 'confirm.error-body'],
    run: async (arena) => {
      const client = arena.client()
      const good = bodyFor(arena, 'alice', EVERYWHERE)
      const answers: readonly Answer[] = [
        await client.quote(EVERYWHERE),
        await client.quote({}),
        await client.build(good),
        await client.build({}),
        await client.build('{'),
        await client.build({ ...good, from: 'VOID' }),
        await client.confirm(UNKNOWN),
        await client.confirm({}),
        await client.withKey(null).confirm(UNKNOWN),
      ]
      for (const answer of answers) {
        const type = answer.headers['content-type'] ?? ''
        insist('service.json-bodies', answer.json !== undefined, 'a body of JSON', sightOf(answer))
        insist(
          'service.json-bodies',
          /^application\/([a-z.+-]+\+)?json\b/.test(type),
          'application/json',
          type,
        )
      }
      const paths = answers.slice(0, 3).map(({ status }) => status)
      insist('versioning.path', paths[0] === 200 && paths[2] === 200, '200 under /api/v1/', paths)
      return { exercised: answers.length }
    },
  },
  {
    id: 'auth.missing-key',
    title: 'what quote and build answer without a key, and with one that nobody issued',
    requirements: ['auth.missing-key'],
    run: async (arena) => {
      const notes: string[] = []
      for (const [name, key] of [
        ['no key', null],
        ['an unknown key', `${PARTNER_KEYS.one.secret}x`],
      ] as const) {
        const client = arena.client().withKey(key)
        notes.push(`quote with ${name}: ${(await client.quote(EVERYWHERE)).status}`)
        notes.push(`build with ${name}: ${(await client.build(bodyFor(arena, 'alice', EVERYWHERE))).status}`)
      }
      return { exercised: notes.length, notes }
    },
  },
]
