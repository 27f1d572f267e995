import { bodyOf } from '../src/oracles/index.ts'
import type { Case } from '../src/runner/cases/case.ts'
import type { Answer } from '../src/targets/environment/client.ts'
import { assert, note, responseText } from './support/expect.ts'

const UNKNOWN = { buildId: '00000000-0000-4000-8000-000000000000', txHash: `0x${'ab'.repeat(32)}` }

/** Returns whether no body is shown for a response: an error of quote or confirm, or a missing key (§7). */
const mayBeBare = ({ status, exchange }: Answer) =>
  status === 401 || (status >= 400 && !exchange.request.path.includes('/swap/build'))

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
        note('service.content-type', `${answer.status}: ${answer.headers['content-type'] ?? 'none'}`)
      }
      const accepted = [answers[0], answers[2], answers[6]].map((answer) => answer?.status)
      assert('auth.bearer-header', !accepted.includes(401), 'the key taken on every endpoint', accepted)
      note('confirm.error-body', Object.keys(bodyOf(answers[7] ?? { json: null })))
      const paths = [quote.status, build.status]
      // Every request goes to the base URL, whatever path that has, and the path of the endpoint after it.
      const promised = ['versioning.path', 'service.paths'] as const
      const isThere = ({ status, json }: Answer) =>
        status === 200 || (status === 422 && typeof bodyOf({ json }).error === 'string')
      assert(promised, [quote, build].every(isThere), 'quote and build under {base_url}/api/v1/', paths)
      // A report that lacks everything is refused by confirm itself, and not by the lack of a confirm.
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
      const strangers = {
        'no key': environment.client(null),
        'an unknown key': environment.clientWithSecret(`${environment.secret('one')}x`),
      }
      for (const [name, client] of Object.entries(strangers)) {
        note('auth.missing-key', `quote with ${name}: ${(await client.quote(swap)).status}`)
        note('auth.missing-key', `build with ${name}: ${(await client.build({ ...swap, sender })).status}`)
      }
      note('auth.keys.issuing', 'before the run, outside of the interface')
      return { exercised: 4 }
    },
  },
]
