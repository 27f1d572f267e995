/**
 * A complete client of the swap service: quotes, builds, approves, pays the partner fee, swaps and reports. It swaps only once,
 * even if it is interrupted and restarted. ../README.md lists its variables and exit codes.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { approvalsFor, feeTransferOf } from './approvals.mjs'
import { Chain, NodeRefusal } from './chain.mjs'
import { fieldsOf, readGoal } from './goal.mjs'
import { isTemporary, pauseMs } from './http.mjs'
import { checkBuild, checkRoute, Refused } from './refusals.mjs'
import { Service } from './service.mjs'
import { openState } from './state.mjs'

/** Limit of builds: one is repeated after approvals, when it expires before it is signed, and when it would revert. */
const MOST_BUILDS = 4

const { SWAP_BASE_URL, SWAP_API_KEY, SWAP_RPC_URL, SWAP_PRIVATE_KEY, SWAP_GOAL, SWAP_STATE } = process.env
const goal = readGoal(SWAP_GOAL)
const { state, save } = openState(SWAP_STATE)
const service = new Service(SWAP_BASE_URL, SWAP_API_KEY)
const chain = new Chain(SWAP_RPC_URL, SWAP_PRIVATE_KEY)

// The program can be killed safely at any moment, so it simply exits when its time is up.
const leftMs = state.startedAtMs + goal.timeoutS * 1_000 - Date.now()
setTimeout(() => end(1, { outcome: 'failed', reason: `not done in ${goal.timeoutS} s` }), leftMs)

try {
  // A signed swap is always sent and reported.
  if (state.swap === null) await signSwap()
  while (!state.isDone) await sendAndReport()
  end(0, { outcome: 'done', txHash: state.swap.hash })
} catch (error) {
  if (error instanceof Refused) end(3, { outcome: 'refused', reason: error.message })
  end(1, { outcome: 'failed', reason: error.message })
}

async function signSwap() {
  // An earlier start may have ended before its approvals were mined.
  if (state.transactions.length > 0) await chain.untilMined(state.transactions)
  const fields = fieldsOf(goal, chain.address)
  checkRoute(bodyOf(await service.quote(goal.amount, fields)).route)
  for (let builds = 0; builds < MOST_BUILDS; builds += 1) {
    const build = bodyOf(await service.build(goal.amount, fields))
    checkBuild(build, goal)
    const approvals = await approvalsFor(build, goal, chain)
    if (approvals.length > 0) {
      save({ transactions: [...state.transactions, ...(await chain.sign(approvals))] })
      await chain.untilMined(state.transactions)
      // Mining took time, so a new build is signed (§4.2 rule 7).
      continue
    }
    const signed = await signUnlessItReverts(build)
    if (signed !== null && Date.now() < build.route.expiresAt) return keep(signed, build)
    await sleep(pauseMs({}, builds))
  }
  throw new Error(`none of ${MOST_BUILDS} builds could be signed`)
}

/** Signs fee transfer and swap with successive nonces, so that no other transaction comes between (§4.2 rule 5). */
async function signUnlessItReverts({ tx, feeTransfer }) {
  const swap = { role: 'swap', to: tx.to, data: tx.data, value: tx.value }
  try {
    return await chain.sign(feeTransfer ? [feeTransferOf(feeTransfer), swap] : [swap])
  } catch (error) {
    if (!(error instanceof NodeRefusal)) throw error
    console.error(`building again: ${error.message}`)
    return null
  }
}

/** Saves the signed bytes before they are sent: from here on only this swap and this fee transfer can happen. */
function keep(signed, { attribution }) {
  const swap = { hash: signed.at(-1).hash, buildId: attribution?.buildId ?? null }
  save({ transactions: [...state.transactions, ...signed], swap })
}

async function sendAndReport() {
  await sleep(state.reportAtMs - Date.now())
  // Checked before each report, because a reorganisation may have removed the swap.
  const hash = await chain.untilMined(state.transactions)
  save({ swap: { ...state.swap, hash } })
  if (state.swap.buildId === null) return save({ isDone: true })
  const response = await service.confirm(state.swap.buildId, hash)
  if (response.status === 200) return save({ isDone: true })
  // Repeating the report does not change 400, 401, 404, 409 and 422.
  if (response.status !== 202 && !isTemporary(response.status)) throw new Error(textOf(response))
  console.error(`the report got ${response.status || 'no response'}; trying again`)
  // §4.3 rule 7. Saved, so that a restarted client does not report too early.
  save({ reports: state.reports + 1, reportAtMs: Date.now() + pauseMs(response, state.reports) })
}

/** Returns the body of a quote or a build; throws if it was refused. */
function bodyOf(response) {
  if (response.status === 200) return response.body
  // §7: no venue can build the trade now.
  throw response.status === 422 ? new Refused(textOf(response)) : new Error(textOf(response))
}

const textOf = ({ status, body }) => `the service responded ${status}: ${JSON.stringify(body)}`

function end(exitCode, outcome) {
  console.log(JSON.stringify(outcome))
  process.exit(exitCode)
}
