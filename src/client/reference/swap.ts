import { type Hex, keccak256, parseUnits } from 'viem'
import { addressOf } from '../../simulation/steps/userDuties.ts'
import { EXIT_DONE, EXIT_REFUSED } from '../program.ts'
import { SwapAccount } from './account.ts'
import { type ClientPorts, type SignedSwap, SwapFailedError, SwapRefusedError } from './ports.ts'
import { CLIENT_RULES, type ClientRules } from './rules.ts'
import { SwapService } from './service.ts'

const EXIT_FAILED = 1
/** Maximum number of builds: one that is stale before it is signed is replaced by a new one. */
const BUILDS_MAX = 5

/**
 * Carries out a goal from its quote to its credit: quotes, approves, builds, signs, sends, reports. Signed bytes are saved
 * before they are sent, so that a restarted client continues with the same bytes.
 *
 * @returns the exit code.
 */
export async function swapGoal(ports: ClientPorts, rules: ClientRules = CLIENT_RULES): Promise<number> {
  try {
    const hash = await new Swap(ports, rules).run()
    ports.print(JSON.stringify({ outcome: 'done', txHash: hash }))
    return EXIT_DONE
  } catch (error) {
    const isRefused = error instanceof SwapRefusedError
    if (!isRefused && !(error instanceof SwapFailedError)) throw error
    ports.print(JSON.stringify({ outcome: isRefused ? 'refused' : 'failed', reason: error.message }))
    return isRefused ? EXIT_REFUSED : EXIT_FAILED
  }
}

class Swap {
  readonly #ports: ClientPorts
  readonly #rules: ClientRules

  constructor(ports: ClientPorts, rules: ClientRules) {
    this.#ports = ports
    this.#rules = rules
  }

  async run(): Promise<string> {
    const { state, time, goal } = this.#ports
    const kept = await state.load()
    const deadlineMs = kept?.deadlineMs ?? time.nowMs() + goal.timeoutS * 1_000
    const account = new SwapAccount(this.#ports, this.#rules, deadlineMs)
    const service = new SwapService(this.#ports, this.#rules, deadlineMs)
    if (kept === null) await state.save({ deadlineMs, signed: null })
    let signed = kept?.signed ?? null
    if (signed === null) {
      signed = await this.#sign(account, service)
      await state.save({ deadlineMs, signed })
      if (signed.feeTransfer !== null) await account.broadcast(signed.feeTransfer)
      await account.broadcast(signed.swap)
    }
    return this.#complete(signed, account, service)
  }

  /** Quotes, approves, builds, and signs the newest build. */
  async #sign(account: SwapAccount, service: SwapService): Promise<SignedSwap> {
    const { goal, time } = this.#ports
    const rules = this.#rules
    refuse(rules.objectionToNode(await account.chainId()))
    refuse(rules.objectionToRoute((await service.quote()).route))
    const token = addressOf(goal.from.address)
    const amountRaw = parseUnits(goal.amount, goal.from.decimals)
    let build = await service.build(account.address)
    for (let builds = 1; builds < BUILDS_MAX; builds += 1) {
      refuse(rules.objectionToBuild(build, goal) ?? rules.objectionToCost(build, goal))
      const approved =
        rules.needsApproval(build.tx, goal) && (await account.approve(token, build.tx, amountRaw))
      // Time has passed, and another venue may be better by now.
      const isOld = (approved && rules.buildsAgain(build, time.nowMs())) || rules.isStale(build, time.nowMs())
      if (!isOld) return this.#signed(build, account)
      build = await service.build(account.address)
    }
    throw new SwapFailedError('each build was stale before it could be signed')
  }

  async #signed(build: SignedSwap['build'], account: SwapAccount): Promise<SignedSwap> {
    const fee = this.#rules.feeTransfer(build, this.#ports.goal)
    const first = await account.nonce()
    const feeTransfer = fee === null ? null : (await account.sign(fee, first)).rawTransaction
    const nonce = fee === null ? first : first + 1
    const { hash, rawTransaction } = await account.sign(this.#rules.swap(build), nonce)
    return { build, feeTransfer, swap: rawTransaction, hash, nonce }
  }

  /** Waits for the swap, and reports it until it is recorded. */
  async #complete(signed: SignedSwap, account: SwapAccount, service: SwapService): Promise<string> {
    const { feeTransfer, swap, nonce, build } = signed
    const feeHash = feeTransfer && keccak256(feeTransfer)
    const keepFeeAlive = async () => {
      if (feeTransfer !== null && feeHash !== null) await account.keepAlive(feeHash, feeTransfer)
    }
    const keepAlive = async (hash: Hex) => {
      await keepFeeAlive()
      await account.keepAlive(hash, swap)
    }
    await keepFeeAlive()
    const { reportsWhen, hasSwapped, report } = this.#rules
    const reportOf = (hash: string) => report(build, { swap: hash, feeTransfer: feeHash })
    const early = reportsWhen === 'sent' ? reportOf(signed.hash) : null
    // A block may be orphaned while the report is pending: then the same bytes are sent again.
    if (early !== null) await service.report(early, () => keepAlive(signed.hash))
    const mined = await account.mined(signed.hash, swap, nonce)
    if (!hasSwapped(mined.succeeded)) throw new SwapFailedError(`the swap ${mined.hash} reverted`)
    if (reportsWhen === 'deep') await account.deep(mined.hash)
    const body = early === null ? reportOf(mined.hash) : null
    if (body !== null) await service.report(body, () => keepAlive(mined.hash))
    return mined.hash
  }
}

/** @throws {SwapRefusedError} there is an objection. */
function refuse(objection: string | null): void {
  if (objection !== null) throw new SwapRefusedError(objection)
}
