import type { Hex } from 'viem'
import type { Case } from '../../src/runner/cases/case.ts'
import { sendSwap } from '../../src/runner/executeBuild.ts'
import type { BuildResponse } from '../../src/spec/wire.ts'
import { countAdded, totalsOf } from '../partners/report.ts'
import { assert, assertConvention } from '../support/expect.ts'
import { buildIdOf, NATIVE_IN, reporting, TWICE } from '../support/reports.ts'

/** §4.3: builds and credits survive a restart of the process. */
export const restartCase: Case<'control' | 'restart'> = {
  id: 'confirm.after-restart',
  title: 'reports are judged alike after the service was ended and started again',
  requirements: ['confirm.after-restart', 'confirm.repeat.safe'],
  uses: ['control', 'restart'],
  busyS: 2,
  run: reporting(async (reports, environment) => {
    const { control, restart } = environment
    const added = await countAdded(environment, 'one')
    // One swap is recorded before the restart, one is pending, and two are only built.
    const equal = await reports.build(TWICE)
    const recorded = await reports.deepSwap(TWICE)
    await reports.recorded(recorded.build, recorded.swap.hash)
    const reported = await reports.swap(NATIVE_IN)
    await reports.pending(reported.build, reported.swap.hash)
    const built = await reports.build(NATIVE_IN)
    const expired = await reports.build(NATIVE_IN)
    const totals = await totalsOf(environment, 'one')
    await restart()
    // A service that restarts its sequence of ids would repeat this one.
    const first = await reports.build(NATIVE_IN)
    await restart()
    const second = await reports.build(NATIVE_IN)
    const totalsNow = await totalsOf(environment, 'one')
    const isAnother = buildIdOf(first) !== buildIdOf(second)

    const late = await sendSwap(control, 'alice', built)
    const again = await sendSwap(control, 'alice', recorded.build)
    const report = async (build: BuildResponse, { hash }: { readonly hash: Hex }): Promise<number> => {
      const send = () => environment.client().confirm({ buildId: buildIdOf(build), txHash: hash })
      return (await environment.untilFinal(await send(), send)).status
    }
    await control.mine(5)
    const early = await environment.client().confirm({ buildId: buildIdOf(built), txHash: late.hash })
    await control.mine(8)
    const statuses = [
      early.status,
      // The build is already credited, even before its own report is repeated.
      await report(recorded.build, again),
      await report(equal, recorded.swap),
      await report(reported.build, reported.swap),
      await report(built, late),
      await report(recorded.build, recorded.swap),
    ]
    const counted = await added()
    const tooLate = await sendSwap(control, 'alice', expired)
    await control.mineAt(reports.windowEndS(expired) + 10)
    await control.mine(12)
    statuses.push(await report(expired, tooLate))
    const taken = equal.tx.data === recorded.build.tx.data ? 409 : 422
    const expected = [202, 409, taken, 200, 200, 200, 422]
    assertConvention(
      'confirm.after-restart',
      isAnother && totalsNow === totals && `${statuses}` === `${expected}`,
      `another buildId after each start, the totals ${totals}, and the statuses ${expected.join(', ')}`,
      `${isAnother ? 'another' : 'the same'} buildId, the totals ${totalsNow}, and ${statuses.join(', ')}`,
    )
    if (counted === null || Number.isNaN(counted)) return
    // At most three builds were recorded, one of them reported twice; fewer if the service lost some.
    assert('confirm.repeat.safe', counted <= 3, 'at most 3 more confirmed swaps', `${counted} more`)
  }),
}
