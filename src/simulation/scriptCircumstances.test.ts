import { describe, expect, it } from 'vitest'
import { ScriptModel } from './scriptModel.ts'
import type { ScriptBuild, ScriptReport, ScriptTransaction } from './scriptParts.ts'

/** A script whose swap of `alice` lies deep, with another of `bob`. */
function script(): { readonly model: ScriptModel; readonly own: ScriptReport; readonly other: ScriptReport } {
  const model = new ScriptModel()
  const [own, other] = ['alice', 'bob'].map((account) => {
    model.build({ key: 'one', account, body: { from: 'ETH', to: 'USDG', amount: 1 }, approvals: [] })
    const build = model.builds.at(-1) as ScriptBuild
    model.send(build, 'none', account)
    return { key: 'one', build, tx: model.ledger.transactions.at(-1) as ScriptTransaction }
  }) as [ScriptReport, ScriptReport]
  model.mine(13)
  return { model, own, other }
}

/** How many things a report met that none before did. */
function newTo(model: ScriptModel, report: ScriptReport): number {
  const before = model.circumstances.count
  model.confirm(report)
  return model.circumstances.count - before
}

/** A script in which the next report of `own` meets nothing new. */
function repeated(): ReturnType<typeof script> {
  const made = script()
  for (let reports = 0; reports < 2; reports += 1) made.model.confirm(made.own)
  return made
}

describe('the circumstances of a script', () => {
  it('are, of its first report, that it is alone, where the transaction stands, and that it is the first', () => {
    const { model, own } = script()
    expect(model.circumstances.count).toBe(0)
    expect(newTo(model, own)).toBe(3)
  })

  it('count each thing once', () => {
    const { model, own } = script()
    model.confirm(own)
    // That it follows a report of a deep one is new; the third time it is not.
    expect([newTo(model, own), newTo(model, own)]).toEqual([1, 0])
  })

  it.each<[string, (made: ReturnType<typeof script>) => void]>([
    ['a restart', ({ model }) => model.add({ op: 'restart' })],
    ['a crash', ({ model }) => model.add({ op: 'crash-at', call: 0, when: 'before' })],
    ['a revoked key', ({ model }) => model.revokeKey('one')],
    ['a clock that is off', ({ model }) => model.skew(250)],
    [
      'a fault of the line',
      ({ model }) => model.disturb({ op: 'line-fault', kind: 'down', skip: 0, trips: 1 }),
    ],
    [
      'a fault of the store',
      ({ model }) => model.disturb({ op: 'store-fault', kind: 'down', method: 'findBuild', calls: 1 }),
    ],
    ['a step within it', ({ model }) => model.within(1, 'before', () => model.mine(1))],
  ])('hold %s since the last report, and the faults that the report meets', (_name, happen) => {
    const { model, own } = repeated()
    happen({ model, own, other: own })
    expect(newTo(model, own)).toBeGreaterThan(0)
  })

  it('tell a deep reorganisation from a shallow one, and where the transaction stands since', () => {
    const { model, own } = repeated()
    model.reorg(1, 1, 0, 0)
    expect(newTo(model, own)).toBe(1)
    model.reorg(13, 13, 0, 0)
    // The transaction is lost as well, and for the report after this one it was lost before.
    expect([newTo(model, own), newTo(model, own), newTo(model, own)]).toEqual([2, 1, 0])
  })

  it('leave out what happened before the last report, before the build, or to others', () => {
    const { model, own, other } = repeated()
    model.revokeKey('two')
    expect(newTo(model, own)).toBe(0)
    model.add({ op: 'restart' })
    model.confirm(own)
    model.build({ key: 'one', account: 'carol', body: { from: 'ETH', to: 'USDG', amount: 1 }, approvals: [] })
    const build = model.builds.at(-1) as ScriptBuild
    const met = model.circumstances.count
    model.confirm({ key: 'one', build, tx: other.tx })
    // Another's transaction, for a build that was not reported; not the restart once more.
    expect(model.circumstances.count - met).toBe(1)
  })

  it('leave out faults that are healed', () => {
    const { model, own } = repeated()
    model.skew(250)
    model.disturb({ op: 'line-fault', kind: 'down', skip: 0, trips: 1 })
    model.heal()
    expect(newTo(model, own)).toBe(0)
  })

  it('tell reports at once and within others from those alone', () => {
    const { model, own } = repeated()
    model.race([own, own], [])
    expect(newTo(model, own)).toBe(0)
    const met = model.circumstances.count
    model.within(0, 'after', () => model.confirm(own))
    expect(model.circumstances.count - met).toBe(1)
  })
})
