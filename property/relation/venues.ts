import type { Property } from '../../src/runner/families/family.ts'
import type { World } from '../../src/simulation/world/world.ts'
import { MARKET, VENUE_IDS } from '../../src/spec/venues.ts'
import { inProcessTransport } from '../../src/targets/transports/inProcessTransport.ts'
import { assert } from '../assert.ts'
import { judgesChoices } from '../fair.ts'
import { assertEqual, type ObservedRelation, shownBy, stripped, type Twist, without } from './observed.ts'

/** A forced venue is quoted as among the others, and none of them beats the best of all. */
export const moreVenuesNeverHurt: Property<ObservedRelation> = {
  id: 'relation.more-venues-never-hurt',
  title: "adding a venue never lowers the winner's output after gas, nor changes another venue's figures",
  requirements: [
    'quote.best-route',
    'quote.ranking.after-gas',
    'alternatives.complete',
    'quote.prefer-engine.only',
  ],
  holds: async ({ environment, ask, put }) => {
    const plain = without(ask, 'sender', 'preferEngine')
    const all = await put(plain)
    const winner = all.route?.engine === MARKET ? undefined : all.route?.alternatives[0]
    let questions = 0
    for (const venue of VENUE_IDS) {
      const alone = (await put({ ...plain, preferEngine: venue })).route?.alternatives[0]
      if (alone === undefined) continue
      questions += 1
      const among = all.route?.alternatives.find(({ engine }) => engine === venue)
      // The estimate of gas is the service's own, and may depend on the number of venues.
      const figures = ({ amountOut, netAmountOut, gasCostOut }: typeof alone) =>
        JSON.stringify(judgesChoices(environment) ? { amountOut, netAmountOut, gasCostOut } : { amountOut })
      assert(
        'alternatives.complete',
        among !== undefined && figures(among) === figures(alone),
        `${venue} among all as alone: ${figures(alone)}`,
        among === undefined ? 'it is not there' : figures(among),
      )
      const best = winner?.netAmountOut ?? Number.NEGATIVE_INFINITY
      const least = (judgesChoices(environment) ? alone : among)?.netAmountOut ?? best
      assert(
        'quote.best-route',
        best >= least,
        `at least ${least}, as ${venue} alone brings`,
        `${best} of ${winner?.engine}`,
      )
    }
    return questions
  },
}

export const orderChangesNothing: Property<ObservedRelation> = {
  id: 'relation.order-changes-nothing',
  title: 'neither the order in which venues are listed nor the order of their responses changes a quote',
  requirements: ['quote.ranking.after-gas', 'alternatives.winner-first', 'alternatives.complete'],
  inside: 'it lists the venues in another order, and delays responses of the chain',
  holds: async (seen) => {
    const { twist, put, putNow } = seen
    const { environment } = seen
    const { inside } = environment
    if (inside === null) return 0
    const ask = without(seen.ask, 'sender', 'preferEngine')
    const base = stripped(await put(ask))
    const shuffled = await inside.twin((deps) => ({
      ...deps,
      manifest: {
        ...deps.manifest,
        venues: twist.arrival.flatMap((index) => deps.manifest.venues[index] ?? []),
      },
    }))
    const client = environment.client().through(inProcessTransport(() => shuffled))
    const listed = await putNow(ask, client).finally(() => shuffled.close())
    assertEqual('quote.ranking.after-gas', 'the same, listed in another order', base, stripped(listed))

    environment.outlastMemo()
    const release = delayResponses(inside.world, twist)
    const quoted = await putNow(ask).finally(release)
    assertEqual('quote.ranking.after-gas', 'the same, received in another order', base, stripped(quoted))
    return 2
  },
}

/** Drops the batch for all venues, so that each is called separately, and lets those responses arrive in the case's order. */
function delayResponses({ line, sandbox }: World, twist: Twist): () => void {
  const first = line.roundTrips.length
  const waiting: { readonly index: number; readonly go: () => void }[] = []
  const releaseAll = async (): Promise<void> => {
    // All calls were sent together; after three responses of the node they all wait here.
    for (let round = 0; round < 3; round += 1) await sandbox.rpc.request('eth_chainId')
    const order = twist.arrival.map((place) => first + 1 + place)
    const ordered = waiting.toSorted((one, other) => order.indexOf(one.index) - order.indexOf(other.index))
    for (const { go } of ordered) {
      go()
      await sandbox.rpc.request('eth_chainId')
    }
  }
  line.hooks = {
    decide: (_calls, index) => (index === first ? { kind: 'down' } : null),
    before: (_calls, index) => {
      if (index > first + VENUE_IDS.length) return Promise.resolve()
      return new Promise((go) => {
        waiting.push({ index, go })
        if (waiting.length === 1) void releaseAll()
      })
    },
  }
  return () => {
    line.hooks = {}
  }
}

/** ETH and WETH are one coin to every pool: only the gas of wrapping differs. */
export const wrappingCostsGasAlone: Property<ObservedRelation> = {
  id: 'relation.wrapping-costs-gas-alone',
  title: 'every venue pays the same for ETH and WETH, as input and as output',
  requirements: ['alternatives.amount-out', 'route.amount-out'],
  holds: async ({ environment, ask, put }) => {
    const twin: Readonly<Record<string, string>> = { ETH: 'WETH', WETH: 'ETH' }
    const plain = without(ask, 'sender')
    if (twin[ask.from] === ask.to) return 0
    const other =
      ask.from in twin ? { from: twin[ask.from] ?? '' } : ask.to in twin ? { to: twin[ask.to] ?? '' } : null
    if (other === null) return 0
    const one = shownBy(await put(plain))
    const twins = shownBy(await put({ ...plain, ...other }))
    // A service may use a venue for ETH that it cannot reach with WETH, and vice versa.
    const both = (engine: string) => judgesChoices(environment) || (one.has(engine) && twins.has(engine))
    const text = (shown: typeof one) =>
      [...shown]
        .filter(([engine]) => both(engine))
        .map(([engine, { low, high }]) => `${engine} ${low}-${high}`)
        .sort()
        .join(', ')
    assertEqual('alternatives.amount-out', 'the outputs of both coins', text(one), text(twins))
    return one.size
  },
}
