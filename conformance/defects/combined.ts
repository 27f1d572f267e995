import { type Defect, defectTable } from '../../src/runner/proof/defect.ts'
import type { InjectedAnswer, InjectedRequest } from '../../src/service/testing.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import {
  answerOf,
  changeRequest,
  type Fields,
  fieldsOf,
  isFor,
  type Json,
  jsonOf,
  wrapService,
} from './helpers/wire.ts'

type Row = readonly [breaks: RequirementId, title: string, change: (fields: Fields) => Fields]

const venueOf = ({ preferEngine, engine }: Fields) => preferEngine ?? engine

/** Misreads a build if it is in two classes at once; a build in either class alone is read correctly. */
const MISREAD: Readonly<Record<string, Row>> = {
  'combined.slippage-1-as-0.native-out': [
    'route.slippage-echo',
    'a slippage of 1 bps of a build that buys ETH is none',
    ({ to, slippageBps }) => (to === 'ETH' && slippageBps === 1 ? { slippageBps: 0 } : {}),
  ],
  'combined.fee-49-as-50.forced': [
    'fees.partner.echo',
    'a fee of 49 bps is 50 in a build on venue_f that is forced',
    (fields) => (fields.partnerFeeBps === 49 && venueOf(fields) === 'venue_f' ? { partnerFeeBps: 50 } : {}),
  ],
  'combined.fee-1-lost.native-in': [
    'fees.partner.echo',
    'a fee of 1 bps on ETH that venue_e sells is forgotten in a build',
    (fields) =>
      fields.partnerFeeBps === 1 && fields.from === 'ETH' && venueOf(fields) === 'venue_e'
        ? { partnerFeeBps: 0 }
        : {},
  ],
  'combined.slippage-5000-as-default.outside': [
    'route.slippage-echo',
    'the largest slippage of a build that buys a token outside the registry with ETH is the default',
    ({ from, toAddress, slippageBps }) =>
      from === 'ETH' && toAddress !== undefined && slippageBps === 5_000 ? { slippageBps: 50 } : {},
  ],
}

/** Changes responses to reports depending on earlier responses for the same transaction and build. */
function remembering(
  change: (answer: InjectedAnswer, pair: string, known: Set<string>) => InjectedAnswer,
): Parameters<typeof wrapService>[0] {
  return (inject) => {
    const known = new Set<string>()
    return async (request) => {
      const answer = await inject(request)
      if (!isFor('confirm', request)) return answer
      const { buildId, txHash } = fieldsOf(request)
      return change(answer, `${buildId} ${txHash}`, known)
    }
  }
}

/** Records a swap that is refused for this reason, although an earlier report of it saw another state. */
const recordedOnce = (sees: (pending: Json) => boolean, refusal: string) =>
  remembering((answer, pair, known) => {
    const body = jsonOf(answer)
    if (answer.statusCode === 202 && sees(body)) known.add(pair)
    const isRefused = answer.statusCode === 422 && String(body.error).includes(refusal)
    return isRefused && known.has(pair) ? answerOf(200, { recorded: true, alreadyRecorded: false }) : answer
  })

/** Mistakes in a build or a report that depend on earlier events. */
const REMEMBERED: Readonly<
  Record<string, readonly [RequirementId, string, Parameters<typeof wrapService>[0]]>
> = {
  'combined.fee-transfer-lost-after-a-fall.native-in': [
    'build.fee-transfer.venues',
    'a build of ETH that fell through to venue_c or venue_d has no fee transfer',
    (inject) => {
      const engines = new Map<string, string>()
      return async (request) => {
        const answer = await inject(request)
        if (!isFor('build', request) || answer.statusCode !== 200) return answer
        const fields = fieldsOf(request)
        const body = jsonOf(answer)
        const swap = JSON.stringify(fields)
        const before = engines.get(swap)
        engines.set(swap, body.engine)
        if (fields.from !== 'ETH' || before === undefined || before === body.engine) return answer
        return { ...answer, body: JSON.stringify({ ...body, feeTransfer: null }) }
      }
    },
  ],
  'combined.attribution-lost-after-an-outage': [
    'confirm.recorded',
    'a swap of a build with a fee that follows an outage of the chain is never found',
    (inject) => {
      let wasDown = false
      const lost = new Set<string>()
      return async (request) => {
        if (isFor('confirm', request) && lost.has(String(fieldsOf(request).buildId)))
          return answerOf(202, { recorded: false, alreadyRecorded: false }, { 'retry-after': '1' })
        const answer = await inject(request)
        if (!isFor('build', request)) return answer
        if (answer.statusCode === 502) wasDown = true
        else if (answer.statusCode === 200 && wasDown) {
          wasDown = false
          const { feeTransfer, attribution } = jsonOf(answer)
          if (feeTransfer !== null && attribution !== null) lost.add(attribution.buildId)
        }
        return answer
      }
    },
  ],
  'combined.sender-in-lower-case.second-key': [
    'confirm.recorded',
    'a swap is mismatched where the build wrote its sender in lower case and the partner has a second key',
    (inject) => {
      const lower = new Set<string>()
      return async (request) => {
        const { buildId, sender } = fieldsOf(request)
        if (isFor('confirm', request) && lower.has(String(buildId)))
          return answerOf(422, { error: 'the transaction does not match the build' })
        const answer = await inject(request)
        const isSecond = JSON.stringify(request.headers).includes('successor')
        if (
          isFor('build', request) &&
          answer.statusCode === 200 &&
          isSecond &&
          sender === String(sender).toLowerCase()
        )
          lower.add(String(jsonOf(answer).attribution?.buildId))
        return answer
      }
    },
  ],
  'combined.any-key-after-a-reorganisation': [
    'auth.confirm.same-key',
    'once a transaction has lost confirmations, any key may report for any build',
    (inject) => {
      const owners = new Map<string, InjectedRequest['headers']>()
      const deepest = new Map<string, number>()
      let isMoved = false
      return async (request) => {
        const { buildId, txHash } = fieldsOf(request)
        const isReport = isFor('confirm', request)
        const headers =
          isReport && isMoved ? (owners.get(String(buildId)) ?? request.headers) : request.headers
        const answer = await inject({ ...request, headers })
        const body = jsonOf(answer)
        if (isFor('build', request) && answer.statusCode === 200)
          owners.set(String(body.attribution?.buildId), request.headers)
        if (!isReport || typeof body?.confirmations !== 'number') return answer
        const before = deepest.get(String(txHash)) ?? 0
        isMoved ||= body.confirmations < before
        deepest.set(String(txHash), Math.max(before, body.confirmations))
        return answer
      }
    },
  ],
  'combined.window-of-the-first-block': [
    'confirm.rejected.outside-window',
    'a swap that was once in a block in time is recorded, although it was mined again after the window',
    recordedOnce(({ confirmations }) => confirmations > 0, 'after the attribution window'),
  ],
  'combined.window-of-the-pool': [
    'confirm.rejected.outside-window',
    'a swap that was reported from the pool in time is recorded, although it was mined after the window',
    recordedOnce(({ reason }) => reason === 'pending', 'after the attribution window'),
  ],
  'combined.outcome-of-the-first-block': [
    'confirm.block-changed',
    'a swap that went through in its first block is recorded, although it was mined again and reverted',
    recordedOnce(({ confirmations }) => confirmations > 0, 'reverted'),
  ],
  'combined.outcome-of-the-pool': [
    'confirm.rejected.reverted',
    'a swap that was reported from the pool is recorded, although it was mined and reverted',
    recordedOnce(({ reason }) => reason === 'pending', 'reverted'),
  ],
  'combined.rejected-in-a-block-that-is-gone': [
    'confirm.block-changed',
    'a swap that was rejected once stays rejected, although its block is gone and it was mined again in time',
    remembering((answer, pair, rejected) => {
      if (answer.statusCode === 422) rejected.add(pair)
      const isMined = answer.statusCode === 200 || jsonOf(answer).confirmations > 0
      return isMined && rejected.has(pair) ? answerOf(422, { error: 'it was rejected' }) : answer
    }),
  ],
  'combined.repeat-refused-after-a-stranger': [
    'confirm.repeat.safe',
    'a recorded swap that another key reported meanwhile is 409 when its own key reports it again',
    remembering((answer, pair, strangers) => {
      if ([404, 409].includes(answer.statusCode)) strangers.add(pair)
      const isRepeat = answer.statusCode === 200 && jsonOf(answer).alreadyRecorded === true
      return isRepeat && strangers.has(pair) ? answerOf(409, { error: 'attributed elsewhere' }) : answer
    }),
  ],
}

/** Mistakes that show only if two conditions meet; under either alone the service is right. */
export const combinedDefects: readonly Defect[] = [
  ...defectTable((change: Row[2]) => changeRequest('build', change), MISREAD),
  ...defectTable(wrapService, REMEMBERED),
]
