import { PARTNER_KEYS } from '../../src/fixtures/partners.ts'
import type { Case } from '../../src/harness/arena.ts'
import { demand } from '../../src/harness/judgeSwap.ts'
import { judgeAttribution, judgeDistinctBuildIds } from '../../src/oracles/attribution.ts'
import { judgeBuildCacheControl } from '../../src/oracles/cache.ts'
import { bodyOf } from '../support/expect.ts'
import { bodyFor, EVERYWHERE, someBuild } from '../support/swaps.ts'

const neverCached: Case = {
  id: 'build.never-cached',
  title: 'two equal builds at one moment are two builds, and no cache may keep them',
  requirements: ['build.never-cached', 'attribution.build-id'],
  run: async (arena) => {
    const client = arena.client()
    const body = bodyFor(arena, 'alice', EVERYWHERE)
    const answers = [await client.build(body), await client.build(body)]
    demand(answers.map(judgeBuildCacheControl))
    const ids = answers.map((answer) =>
      String((bodyOf(answer).attribution as { buildId?: unknown })?.buildId),
    )
    demand(judgeDistinctBuildIds(ids))
    return { exercised: 2 }
  },
}

const attribution: readonly Case[] = (['one', 'two', 'legacy'] as const).map((key) => ({
  id: `build.attribution.${PARTNER_KEYS[key].keyId}`,
  title: `a build with ${PARTNER_KEYS[key].keyId}, which is ${PARTNER_KEYS[key].kind}, has the attribution of its kind`,
  requirements:
    PARTNER_KEYS[key].kind === 'legacy'
      ? ['attribution.null-when-unsupported', 'auth.legacy-null', 'auth.bearer-header']
      : [
          ...(['attribution.populated', 'attribution.build-id', 'attribution.confirmations'] as const),
          ...([
            'attribution.valid-until.window',
            'auth.individual-attribution',
            'auth.bearer-header',
          ] as const),
          ...(['build.response.attribution', 'versioning.attribution-in-v1'] as const),
        ],
  run: async (arena) => {
    const askedAtMs = arena.clock.nowMs()
    const build = await someBuild(arena, 'alice', { ...EVERYWHERE, preferEngine: 'venue_a' }, key)
    const facts = { keyKind: PARTNER_KEYS[key].kind, hasFeeTransfer: false, askedAtMs }
    demand(
      judgeAttribution({ ...facts, attribution: build.attribution, answeredAtMs: arena.clock.nowMs() })
        .verdicts,
    )
    return { exercised: 1 }
  },
}))

/** §2.5, §5: what a build hands out for confirm, and that each build is one of its own. */
export const attributionChecks: readonly Case[] = [neverCached, ...attribution]
