import { bodyOf } from '../src/oracles/index.ts'
import type { Case } from '../src/runner/cases/case.ts'
import type { Answer } from '../src/targets/environment/client.ts'
import { assert, noteChoice, responseText, servedOr } from './support/expect.ts'

const UNKNOWN = { buildId: '00000000-0000-4000-8000-000000000000', txHash: `0x${'ab'.repeat(32)}` }

/** Returns true if the specification shows no body for a response: an error of quote or confirm, or a missing key (§7). */
const mayBeBare = ({ status, exchange }: Answer) =>
  status === 401 || (status >= 400 && !exchange.request.path.includes('/swap/build'))

/** Names the `Content-Type` of a response in the words of its open point. */
function mediaTypeOf(type: string): string {
  const [media = '', parameters = ''] = type.toLowerCase().replaceAll(' ', '').split(';', 2)
  if (media === 'application/problem+json') return 'problem-json'
  if (media !== 'application/json') return media === 'none' ? 'none' : 'other'
  return parameters === 'charset=utf-8' ? 'json-utf-8' : 'json'
}

const NAMES = { 'no-key': 'no key', 'unknown-key': 'an unknown key' } as const

/** §4, §9: bodies and paths of every endpoint. */
export const serviceCases: readonly Case<never>[] = [
  {
    id: 'service.json-bodies',
    title: 'the bodies of responses and refusals of every endpoint are JSON',
    requirements: [
      'service.json-bodies',
      'service.content-type',
      'service.paths',
      'versioning.path',
      'confirm.error-body',
      'auth.bearer-header',
    ],
    uses: [],
    run: async (environment) => {
      const client = environment.client()
      const good = { ...environment.samples.swap, sender: environment.samples.sender }
      const quote = await client.quote(environment.samples.swap)
      const build = await client.build(good)
      const answers: readonly Answer[] = [
        quote,
        await client.quote({}),
        build,
        await client.build({}),
        await client.build('{'),
        await client.build({ ...good, from: 'VOID' }),
        await client.confirm(UNKNOWN),
        await client.confirm({}),
        await client.withKey(null).confirm(UNKNOWN),
      ]
      for (const answer of answers) {
        const isJson =
          answer.json !== undefined || (mayBeBare(answer) && answer.exchange.response.body === '')
        assert('service.json-bodies', isJson, 'a body of JSON', responseText(answer))
        const type = answer.headers['content-type'] ?? 'none'
        const kind = answer.status < 400 ? 'served' : 'refused'
        noteChoice(`service.content-type/${kind}`, mediaTypeOf(type), answer, `${answer.status}: ${type}`)
      }
      const accepted = [answers[0], answers[2], answers[6]].map((answer) => answer?.status)
      assert('auth.bearer-header', !accepted.includes(401), 'the key taken on every endpoint', accepted)
      const paths = [quote.status, build.status]
      // Every request goes to the base URL, with any path it has, followed by the path of the endpoint.
      const promised = ['versioning.path', 'service.paths'] as const
      const isThere = ({ status, json }: Answer) =>
        status === 200 || (status === 422 && typeof bodyOf({ json }).error === 'string')
      assert(promised, [quote, build].every(isThere), 'quote and build under {base_url}/api/v1/', paths)
      // A report without any field is refused by confirm itself, and not because there is no confirm endpoint.
      const confirm = answers[7]?.status ?? 0
      assert(promised, confirm !== 404 && confirm !== 405, 'confirm under {base_url}/api/v1/', confirm)
      return { exercised: answers.length }
    },
  },
  {
    id: 'auth.missing-key',
    title: 'the status of quote and build without a key, and with an unknown key',
    requirements: ['auth.missing-key', 'auth.keys.issuing'],
    uses: [],
    run: async (environment) => {
      const { swap, sender } = environment.samples
      const strangers = [
        ['no-key', environment.client(null)],
        ['unknown-key', environment.clientWithSecret(`${environment.secret('one')}x`)],
      ] as const
      for (const [name, client] of strangers) {
        const quote = await client.quote(swap)
        noteChoice(
          `auth.missing-key/quote-${name}`,
          servedOr(quote),
          quote,
          `quote with ${NAMES[name]}: ${quote.status}`,
        )
        const build = await client.build({ ...swap, sender })
        noteChoice(
          `auth.missing-key/build-${name}`,
          servedOr(build),
          build,
          `build with ${NAMES[name]}: ${build.status}`,
        )
      }
      noteChoice('auth.keys.issuing', 'outside-the-interface')
      return { exercised: 4 }
    },
  },
]
