import type { Case } from '../../src/runner/cases/case.ts'
import type { BuildResponse } from '../../src/spec/wire.ts'
import { BlamedError } from '../../src/targets/blame.ts'
import type { ConfirmBudget } from '../../src/targets/description.ts'
import type { Environment, KeyName } from '../../src/targets/environment/environment.ts'
import { assert, noteChoice } from '../support/expect.ts'
import { buildIdOf, PLAIN, Reports, UNKNOWN_HASH } from '../support/reports.ts'

/** Number of reports sent if no budget is declared. */
const UNDECLARED_REPORTS = 20
/** Other cases may have sent a few reports with the other partner's key within the same time. */
const OTHERS_REPORTS = 20

/** The outcome of sending reports until one is 429. */
interface Spending {
  /** Number of reports that were not 429. */
  readonly served: number
  readonly limited: boolean
}

/** Repeatedly reports a swap that is never sent: the reports are valid, and each is pending. */
async function spend(
  environment: Environment,
  key: KeyName,
  build: BuildResponse,
  most: number,
): Promise<Spending> {
  const report = { buildId: buildIdOf(build), txHash: UNKNOWN_HASH }
  const client = environment.client(key, 'none')
  for (let served = 0; served < most; served += 1) {
    if ((await client.confirm(report)).status === 429) return { served, limited: true }
  }
  return { served: most, limited: false }
}

/** The build that each key reports. */
type Builds = Readonly<Record<'retiring' | 'successor' | 'two', BuildResponse>>

/**
 * Spends the budget with one key of the partner, then reports with the other. A budget that refills continuously may serve the
 * other key as many reports as were refilled meanwhile. A new window may start in between and serve the whole budget, so the
 * case tries twice.
 *
 * @returns the number of reports served to the first key.
 * @throws {PromiseBrokenError}
 * @throws {BlamedError} if reports are too slow to exceed the budget within its window; the service breaks no promise then.
 */
async function assertShared(
  environment: Environment,
  declared: ConfirmBudget,
  builds: Builds,
): Promise<number> {
  const { reports, windowS } = declared
  // A new window, or a continuous refill, serves the budget at most once more.
  const most = 2 * reports + 1
  const { clock } = environment
  for (let attempt = 1; ; attempt += 1) {
    const startedAtMs = clock.nowMs()
    const first = await spend(environment, 'retiring', builds.retiring, most)
    const spentAtMs = clock.nowMs()
    if (spentAtMs - startedAtMs > windowS * 1_000)
      throw new BlamedError(
        'harness',
        `more than ${2 * reports} reports within ${windowS} s`,
        `${first.served} reports took longer than the declared window of ${windowS} s`,
        'Run it on a machine with less to do, or give the service a longer window or a smaller budget for the run, and declare that as "confirmBudget" in the file of --capabilities.',
      )
    const within = `429 after at most ${2 * reports} reports in ${windowS} s`
    assert('confirm.budget-exceeded', first.limited, within, `${first.served} reports served`)
    const second = await spend(environment, 'successor', builds.successor, most)
    const refilled = Math.floor((reports * (clock.nowMs() - spentAtMs)) / (windowS * 1_000)) + 1
    const isShared = second.limited && second.served <= refilled
    if (!isShared && attempt === 1) {
      await environment.pass(windowS * 1_000)
      continue
    }
    const expected = `429 after at most ${refilled} reports of the other key`
    assert('confirm.budget.shared', isShared, expected, `${second.served} served`)
    return first.served
  }
}

const budget: Case<'control' | 'spareKeys'> = {
  id: 'confirm.budget',
  title:
    "reports beyond the declared budget are 429 for every key of the partner, another partner's are not, and later they are served again",
  requirements: ['confirm.budget.size', 'confirm.budget-exceeded', 'confirm.budget.shared'],
  uses: ['control', 'spareKeys'],
  waitsS: 10,
  run: async (environment) => {
    // The keys of a separate partner, so that no other case meets an exhausted budget.
    const reports = new Reports(environment)
    const { build, swap } = await reports.deepSwap(PLAIN, 'retiring')
    const { confirmBudget: declared } = environment
    if (declared === null) {
      const { served, limited } = await spend(environment, 'retiring', build, UNDECLARED_REPORTS)
      noteChoice('confirm.budget.size', limited ? 'limited' : 'not-limited')
      return { exercised: served + 1, notes: [`${served} reports served`] }
    }
    const builds = {
      retiring: build,
      successor: await reports.build(PLAIN, 'successor'),
      two: await reports.build(PLAIN, 'two'),
    }
    const served = await assertShared(environment, declared, builds)
    noteChoice('confirm.budget.size', 'limited-as-declared')
    const other = await spend(environment, 'two', builds.two, 1)
    if (declared.reports > OTHERS_REPORTS)
      assert('confirm.budget-exceeded', !other.limited, 'a report of another partner is not 429', '429')
    await environment.pass(declared.windowS * 1_000)
    await reports.recorded(build, swap.hash, 'confirm.budget-exceeded')
    return { exercised: served + reports.count, notes: [`${served} reports served before the first 429`] }
  },
}

/** §7, §8: the request budget of a partner. Runs before the case that revokes one of its keys. */
export const confirmBudget: readonly Case[] = [budget]
