import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { PARTNER_KEYS } from '../../src/fixtures/partners.ts'
import { bodyOf } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import { VENUE_IDS } from '../../src/spec/venues.ts'
import { assert, assertConvention, assumeServed, noteChoice, responseText } from '../support/expect.ts'
import { assumeFunded, sendBuild } from '../support/judged.ts'
import { bodyFor, EVERYWHERE, whyNoBuild } from '../support/swaps.ts'
import { withFee } from '../support/twins.ts'

const neverCached: Case<never> = {
  id: 'build.never-cached',
  title: 'two equal builds at one moment are two builds, and no cache may keep them',
  requirements: ['build.never-cached', 'attribution.build-id'],
  uses: [],
  run: async (environment) => {
    const body = { ...environment.samples.swap, sender: environment.samples.sender }
    const first = await environment.client().build(body)
    await assumeFunded(environment, first)
    assumeServed(first.status === 200, `a build is not served: ${responseText(first)}`)
    const firstId = (bodyOf(first).attribution as { buildId?: unknown } | null)?.buildId
    const options = {
      key: 'individual',
      otherBuildIds: typeof firstId === 'string' ? [firstId] : [],
    } as const
    const { answer } = await sendBuild(environment, body, { mustBe: 'anything' }, options)
    assumeServed(answer.status === 200, `a build is not served: ${responseText(answer)}`)
    return { exercised: 2 }
  },
}

/** Concurrent builds never share one across keys or requests; by convention, equal requests do not share one either. */
const concurrent: Case<never> = {
  id: 'build.concurrent',
  title: 'equal and different builds in flight together each get a build of their own',
  requirements: ['build.never-cached', 'attribution.build-id', 'build.in-flight.apart'],
  uses: [],
  run: async (environment) => {
    const { swap, sender } = environment.samples
    const equal = { ...swap, sender, slippageBps: 50, partnerFeeBps: 0 }
    const requests = [
      { key: 'one', body: equal },
      { key: 'one', body: equal },
      { key: 'two', body: equal },
      { key: 'one', body: { ...equal, amount: swap.amount / 2 } },
      { key: 'one', body: { ...equal, slippageBps: 51 } },
      { key: 'one', body: { ...equal, partnerFeeBps: 30, partnerFeeRecipient: sender } },
    ] as const
    const sent = requests.map(async ({ key, body }) => ({
      body,
      answer: await environment.client(key).build(body),
    }))
    const ids: unknown[] = []
    for (const { body, answer } of await Promise.all(sent)) {
      const { route, attribution, partnerFeeBps } = bodyOf(answer) as {
        readonly route?: { readonly amountIn?: unknown; readonly slippageBps?: unknown } | null
        readonly attribution?: { readonly buildId?: unknown } | null
        readonly partnerFeeBps?: unknown
      }
      assumeServed(answer.status === 200 && route != null, `a build is not served: ${responseText(answer)}`)
      const isOwn =
        route?.amountIn === body.amount &&
        route.slippageBps === body.slippageBps &&
        partnerFeeBps === body.partnerFeeBps
      const asked = `${body.amount} at ${body.slippageBps} bps, with a fee of ${body.partnerFeeBps} bps`
      assert('build.never-cached', isOwn, asked, { ...route, partnerFeeBps })
      if (attribution?.buildId !== undefined) ids.push(attribution.buildId)
    }
    const apart = ids.slice(1)
    assert('build.never-cached', new Set(apart).size === apart.length, 'ids that differ', ids)
    assertConvention('build.in-flight.apart', new Set(ids).size === ids.length, 'ids that differ', ids)
    return { exercised: requests.length }
  },
}

const attribution: readonly Case<'legacyKey'>[] = (['one', 'two', 'legacy'] as const).map((key) => ({
  id: `build.attribution.${PARTNER_KEYS[key].keyId}`,
  title: `a build with ${PARTNER_KEYS[key].keyId}, of the kind ${PARTNER_KEYS[key].kind}, has the attribution of that kind`,
  requirements:
    PARTNER_KEYS[key].kind === 'legacy'
      ? ['attribution.null-when-unsupported', 'auth.bearer-header']
      : [
          ...(['attribution.populated', 'attribution.build-id', 'attribution.confirmations'] as const),
          ...([
            'attribution.valid-until.window',
            'attribution.valid-until.format',
            'auth.bearer-header',
          ] as const),
          ...(['build.response.attribution', 'versioning.attribution-in-v1'] as const),
        ],
  uses: key === 'legacy' ? ['legacyKey'] : [],
  run: async (environment) => {
    const { swap, sender } = environment.samples
    const options = { client: environment.client(key), key: PARTNER_KEYS[key].kind }
    const { answer } = await sendBuild(environment, { ...swap, sender }, { mustBe: 'anything' }, options)
    assert('auth.bearer-header', answer.status !== 401, 'the key accepted', responseText(answer))
    if (answer.status !== 200 && key === 'legacy') {
      const { status } = await environment.client('one').build({ ...swap, sender })
      const promised = 'a build, as the individual key gets for the same swap'
      assert('attribution.null-when-unsupported', status !== 200, promised, responseText(answer))
    }
    assumeServed(answer.status === 200, `no build to work with: ${responseText(answer)}`)
    await sendBuild(environment, { ...swap, sender, ...withFee() }, { mustBe: 'anything' }, options)
    return { exercised: 2 }
  },
}))

/** A fee paid in a separate transfer makes the swap two transactions; the specification does not say if it is attributed. */
const withFeeTransfer: Case<'control'> = {
  id: 'build.attribution.with-fee-transfer',
  title: 'whether a build of two transactions has an attribution',
  requirements: ['attribution.with-fee-transfer', 'build.fee-transfer.other-venues'],
  uses: ['control'],
  run: async (environment) => {
    const fee = { partnerFeeBps: 50, partnerFeeRecipient: ACCOUNTS.partnerOne.address }
    for (const preferEngine of VENUE_IDS) {
      const body = bodyFor(environment, 'alice', { ...EVERYWHERE, preferEngine, ...fee })
      const { build, answer } = await sendBuild(
        environment,
        body,
        { mustBe: 'anything' },
        { key: 'individual' },
      )
      assumeServed(build !== null, whyNoBuild(answer))
      const how = build.feeTransfer ? 'transfer' : 'inside'
      noteChoice(`build.fee-transfer.other-venues/${preferEngine}`, how, answer, `${preferEngine}: ${how}`)
    }
    return { exercised: VENUE_IDS.length }
  },
}

/** §2.5, §5: the attribution of a build, and that no two requests share a build. */
export const attributionCases: readonly Case[] = [neverCached, concurrent, ...attribution, withFeeTransfer]
