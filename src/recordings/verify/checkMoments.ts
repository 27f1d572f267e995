import type { Hex } from 'viem'
import type { EvmNode } from '../../evm/node/evmNode.ts'
import { parseJson } from '../../spec/json.ts'
import { confirmBodySchema } from '../../spec/requests.ts'
import { type DraftOf, type Drafts, positioned } from '../format/drafts.ts'
import type { Played } from '../play/playCommands.ts'
import { hasClient, isOutside } from './checkOutside.ts'
import { check } from './errors.ts'

type Moment = DraftOf<'report'>['moments'][number]

/** Faults that show a service an older chain. The file cannot prove which. */
const SHOWS_OLDER: ReadonlySet<string | null> = new Set(['stale', 'repeated', 'replace'])

/**
 * Checks that every report is judged by the chain at the time of its request: each moment is a state of the node during the
 * request, with the right states of the transactions, and the states at the start and the end of the request are among the
 * moments. A case that changes the chain during a report may only orphan the reported transaction: otherwise a later state
 * could excuse a response.
 *
 * @throws {ContradictionError} a moment does not fit the chain.
 */
export function checkMoments(entries: Drafts, played: Played): void {
  const requests = new Map(positioned(entries, 'http').map(([at, { id }]) => [id, at]))
  const isDriven = isOutside(entries) && !hasClient(entries)
  const misled = new Set(
    positioned(entries, 'rpc').flatMap(([, { http, fault }]) => (SHOWS_OLDER.has(fault) ? [http] : [])),
  )
  for (const [at, { http, moments }] of positioned(entries, 'report')) {
    const states = played.statesAt(requests.get(http) ?? 0)
    const heads = new Set(moments.map(({ head }) => head))
    for (const state of [states[0], states.at(-1) as EvmNode]) {
      const { hash } = state.head
      check(
        heads.has(hash),
        at,
        'moments',
        `${hash} was the newest block within request ${http}, and is not among them`,
      )
    }
    if (misled.has(http)) continue
    for (const [index, moment] of moments.entries()) {
      const place = `moments.${index}`
      const met = states.filter(({ head }) => head.hash === moment.head)
      check(
        met.length > 0,
        at,
        `${place}.head`,
        `${moment.head} was not the newest block while request ${http} was answered`,
      )
      const wrong = met.map((state) => wrongIn(moment, state))
      check(wrong.includes(null), at, `${place}.transactions`, `${wrong[0]}`)
    }
    if (isDriven) checkTakenOut(at, moments, entries[requests.get(http) ?? 0])
  }
}

/** @throws {ContradictionError} the reported transaction is mined at a later moment. */
function checkTakenOut(at: number, moments: readonly Moment[], request: Drafts[number] | undefined): void {
  const body = request?.kind === 'http' ? (request.body ?? '') : ''
  const hash = confirmBodySchema.safeParse(parseJson(body)).data?.txHash.toLowerCase()
  for (const [index, { transactions }] of moments.entries()) {
    const isMined = transactions.some((each) => each.hash === hash && each.state === 'mined')
    const problem = `${hash} is mined, and no case mines what is reported while it is reported`
    check(index === 0 || !isMined, at, `moments.${index}.transactions`, problem)
  }
}

/** Describes the first transaction whose state in a moment differs from the node's; null: there is none. */
function wrongIn({ transactions }: Moment, node: EvmNode): string | null {
  for (const { hash, state } of transactions) {
    const isMined = node.placeOf(hash as Hex) !== null
    const actual = isMined ? 'mined' : node.waiting(hash as Hex) === null ? 'unknown' : 'pending'
    if (actual !== state) return `${hash} is called ${state}, and was ${actual}`
  }
  return null
}
