import { describe, expect, test } from 'vitest'
import { judge } from '../../oracles/index.ts'
import { OutsideTap } from '../../recordings/record/outsideTap.ts'
import type { Environment } from '../../targets/environment/environment.ts'
import { recordServed } from '../../targets/evidence/evidence.ts'
import { EVERY_CAPABILITY } from '../../targets/scope.ts'
import type { Lane, TargetSession } from '../../targets/session.ts'
import { breakPromise, doing, planOf, testCase } from '../testing/testCases.ts'
import { tallyRequirements } from '../verdict/tally.ts'
import { assertVerdicts } from './assertVerdicts.ts'
import type { Case } from './case.ts'
import { CaseRecordings } from './caseRecordings.ts'
import { runCases } from './runCases.ts'

const passes = (id: string) => testCase(id)
const fails = (id: string) => doing(id, () => breakPromise())
const OPTIONS = { replay: () => '', bail: false, stop: () => null }

/** A lane whose environment has a name alone, as far as the cases use it. @param onEnter called when a case begins in it. */
const laneWith = (
  onEnter: () => unknown = () => {},
  chainProblem: string | null = null,
  name = '',
): Lane => ({
  enter: async () => {
    onEnter()
    return { name, transcript: [] } as unknown as Environment
  },
  takeWaitedMs: () => ({}),
  chainProblem: async () => chainProblem,
})
const session = (lanes: readonly Lane[] = [laneWith()], more: Partial<TargetSession> = {}) =>
  ({ lanes, secrets: [], ...more }) as TargetSession
const statuses = async (...args: Parameters<typeof runCases>) =>
  (await runCases(...args)).map(({ status, failure, notes }) => [status, failure?.blame ?? notes[0]])

test('a failure while the chain is gone is the fault of the chain, and no further case runs', async () => {
  const gone = session([laneWith(() => {}, 'Anvil died')])
  expect(await statuses(gone, planOf(passes('a'), fails('b'), passes('c')), OPTIONS)).toEqual([
    ['pass', undefined],
    ['inconclusive', 'chain'],
    ['inconclusive', 'skipped: the chain is gone: Anvil died'],
  ])
})

test('a case blames the target for a broken promise alone, and needs evidence unless it does not apply', async () => {
  const cases = [
    fails('broken'),
    passes('whole'),
    doing('confused', () => {
      throw new TypeError('undefined is not a function')
    }),
    testCase('idle', { run: async () => ({ exercised: 0 }) }),
    testCase('chosen', { run: async () => ({ exercised: 0, notApplicable: 'there is no market estimate' }) }),
  ]
  const skipped = { testCase: fails('skipped'), notApplicable: 'needs the profile sandbox' }
  expect(await statuses(session(), [...planOf(...cases), skipped], OPTIONS)).toEqual([
    ['fail', 'target'],
    ['pass', undefined],
    ['inconclusive', 'harness'],
    ['inconclusive', 'nothing was exercised'],
    ['not-applicable', 'there is no market estimate'],
    ['not-applicable', 'needs the profile sandbox'],
  ])
})

test('with bail no case runs after the first failure', async () => {
  const ends = await statuses(session(), planOf(fails('a'), passes('b')), { ...OPTIONS, bail: true })
  expect(ends[1]).toEqual(['inconclusive', 'skipped: --bail'])
})

/** Records a correct refusal. */
const refuse = () =>
  assertVerdicts([judge('tx.data', true, { expected: 400, actual: 400 })], undefined, 'build')
const ofTwins = async (run: () => void) => {
  const results = await runCases(session(), planOf(doing('a', run)), OPTIONS)
  const [row] = tallyRequirements({ results, capabilities: EVERY_CAPABILITY, whole: false })
  return [results[0]?.status, results[0]?.failure?.blame ?? null, row?.status, row?.exercised]
}

test('a refusal counts once its twin was served, before it or after it', async () => {
  const served = () => recordServed('build')
  const counts = ['pass', null, 'pass', 1]
  expect(await ofTwins(() => [refuse(), served()])).toEqual(counts)
  expect(await ofTwins(() => [served(), refuse()])).toEqual(counts)
})

test('a refusal whose twin was not served is not evidence, and a case without other evidence is inconclusive', async () => {
  const nothing = ['inconclusive', 'harness', undefined, undefined]
  expect(await ofTwins(refuse)).toEqual(nothing)
  expect(await ofTwins(() => [refuse(), recordServed('quote')])).toEqual(nothing)
  const ended = ofTwins(() => {
    refuse()
    throw new TypeError('the twin is not served')
  })
  expect(await ended).toEqual(nothing)
})

test('each case that ran has its time, by the clock of the run, and is reported when it begins and ends', async () => {
  let nowMs = 0
  const slow = doing('slow', () => {
    nowMs += 1_500
  })
  const left = { testCase: passes('left'), notApplicable: 'not here' }
  const running: string[] = []
  const results = await runCases(session(), [...planOf(passes('quick'), slow), left], {
    ...OPTIONS,
    nowMs: () => nowMs,
    onRunning: (ids) => running.push(ids.join(' ')),
  })
  expect(results.map(({ durationMs }) => durationMs)).toEqual([0, 1_500, undefined])
  expect(running).toEqual(['quick', '', 'slow', ''])
})

describe('cases that wait under the same fault', () => {
  const slow = (id: string, act: () => unknown = () => {}) => doing(id, act, { waitsUnder: 'hanging' })

  /** Returns a target whose lane lets cases wait together, and a log of what happens on it. */
  function waitingSession() {
    const log: string[] = []
    const place = () => ({ ...laneWith(() => log.push('together')), leave: () => void log.push('left') })
    const together = (count: number) => Array.from({ length: count }, place)
    return { log, target: session([{ ...laneWith(() => log.push('alone')), together }]) }
  }

  test('run at the same time, and the results keep the order of the plan', async () => {
    const begun: string[] = []
    let go: () => void = () => {}
    const bothBegun = new Promise<void>((resolve) => {
      go = resolve
    })
    const meets = () => {
      if (begun.push('one') === 2) go()
      return bothBegun
    }
    const running: string[] = []
    const { log, target } = waitingSession()
    const results = await runCases(target, planOf(slow('a', meets), passes('b'), slow('c', meets)), {
      ...OPTIONS,
      onRunning: (ids) => running.push(ids.join(' ')),
    })
    expect(results.map(({ id, status }) => `${id} ${status}`)).toEqual(['a pass', 'b pass', 'c pass'])
    expect(log).toEqual(['together', 'together', 'left', 'left', 'alone'])
    expect(running).toEqual(['a', 'a c', 'c', '', 'b', ''])
  })

  test('and one that does not end well is run again alone', async () => {
    const { log, target } = waitingSession()
    const isAlone = () => log.includes('alone')
    const clumsy = slow('a', () => isAlone() || breakPromise())
    const broken = slow('b', () => breakPromise(isAlone() ? 'that' : 'something else'))
    const results = await runCases(target, planOf(clumsy, broken), OPTIONS)
    expect(results.map(({ status, failure }) => [status, failure?.actual])).toEqual([
      ['pass', undefined],
      ['fail', 'that'],
    ])
  })

  test('with bail each waits by itself', async () => {
    const { log, target } = waitingSession()
    await runCases(target, planOf(slow('a'), slow('b')), { ...OPTIONS, bail: true })
    expect(log).toEqual(['alone', 'alone'])
  })
})

describe('copies of a target', () => {
  /** Returns two copies that share the cases out, and a log of which case ran in which. */
  function twoCopies() {
    const ran: string[] = []
    const lanes = ['one', 'two'].map((name) => laneWith(() => {}, null, name))
    const where = (named: string, waitsS: number, act: () => unknown = () => {}) =>
      doing(
        named,
        (id, environment) => {
          ran.push(`${id} in ${(environment as unknown as { name: string }).name}`)
          return act()
        },
        { waitsS },
      )
    return { ran, where, target: session(lanes, { casesAreDealt: true }) }
  }

  test('get the same cases each time, whichever is quicker', async () => {
    const { ran, where, target } = twoCopies()
    const cases = planOf(where('a', 0), where('b', 9), where('c', 0), where('d', 0))
    const results = await runCases(target, cases, OPTIONS)
    expect(ran.toSorted()).toEqual(['a in two', 'b in one', 'c in two', 'd in two'])
    expect(results.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('all run with bail where they were requested, and begin nothing after a failure in one', async () => {
    const { ran, where, target } = twoCopies()
    let fail = () => {}
    const failed = new Promise<void>((resolve) => {
      fail = resolve
    })
    const breaks = () => {
      fail()
      breakPromise()
    }
    const cases = planOf(
      where('a', 9, () => failed),
      where('b', 8, breaks),
      where('c', 1),
      where('d', 1),
    )
    const ends = await statuses(target, cases, { ...OPTIONS, bail: true })
    expect(ran).toEqual(['a in one', 'b in two'])
    expect(ends).toEqual([
      ['pass', undefined],
      ['fail', 'target'],
      ['inconclusive', 'skipped: --bail'],
      ['inconclusive', 'skipped: --bail'],
    ])
  })

  test('run a case again that could not be judged among them, once all are done and before a key is used up', async () => {
    const ran: string[] = []
    const note = (id: string) => void ran.push(id)
    const slow = doing('slow', (id) => {
      note(id)
      if (!ran.includes('other')) throw new RangeError('too slow')
    })
    const revokes = doing('revokes', note, { uses: ['revokeKey'] })
    const seen: string[] = []
    const target = session([laneWith(), laneWith()], { casesAreDealt: true })
    const results = await runCases(target, planOf(slow, doing('other', note), revokes), {
      ...OPTIONS,
      onResult: ({ id, status }) => seen.push(`${id} ${status}`),
    })
    expect(results.map(({ status }) => status)).toEqual(['pass', 'pass', 'pass'])
    expect(seen).toEqual(['other pass', 'slow pass', 'revokes pass'])
    expect(ran).toEqual(['slow', 'other', 'slow', 'revokes'])
  })
})

describe('copies that are only assumed to share nothing', () => {
  const assumed = (later: Promise<Lane> = Promise.resolve(laneWith()), copiesAreAssumed = true) =>
    session([laneWith()], { later: [later], casesAreDealt: true, copiesAreAssumed })
  const notStarted = () => Promise.reject(new Error('its port is taken'))

  test('a case that fails among them and not alone is neither passed nor blamed on the target', async () => {
    const ran: string[] = []
    const disturbed = doing('disturbed', (id) => {
      ran.push(id)
      if (!ran.includes('other')) breakPromise()
    })
    const other = doing('other', (id) => ran.push(id))
    expect(await statuses(assumed(), planOf(disturbed, other, fails('c')), OPTIONS)).toEqual([
      ['inconclusive', 'harness'],
      ['pass', undefined],
      ['fail', 'target'],
    ])
    expect(ran).toEqual(['disturbed', 'other', 'disturbed'])
  })

  test('a failure stays a failure where the case cannot be judged again, or can be run only once', async () => {
    const ran: string[] = []
    const failsFirst = (named: string, uses: Case['uses'] = []) =>
      doing(
        named,
        (id) => {
          if (ran.includes(id)) throw new Error(`a key is gone: ${ran.push(id)}`)
          ran.push(id)
          breakPromise()
        },
        { uses },
      )
    const planned = planOf(failsFirst('a'), failsFirst('b', ['revokeKey']), passes('c'))
    const results = await statuses(assumed(), planned, OPTIONS)
    expect(results.map(([status]) => status)).toEqual(['fail', 'fail', 'pass'])
    expect(ran.toSorted()).toEqual(['a', 'a', 'b'])
  })

  test.each([
    ['passes', () => {}],
    ['cannot be judged', () => Promise.reject(new Error('a key is gone'))],
  ])('a failure keeps its recording if the case %s when it runs again', async (_name, again) => {
    let runs = 0
    const flaky = doing('flaky', () => {
      runs += 1
      return runs > 1 ? again() : breakPromise()
    })
    const recordings = new CaseRecordings({
      ...{ all: null, namedFolder: '', seed: 1, strict: false, key: null, nonce: null, secrets: [] },
      ...{ folderOfFailed: () => '', nowMs: () => 0, onNotice: () => {} },
    })
    const tapped = { ...assumed(), lanes: [{ ...laneWith(), tap: new OutsideTap(false) }] }
    const [result] = await runCases(tapped, planOf(flaky, passes('b')), {
      ...OPTIONS,
      onTapped: (tap, ended, first) =>
        first === null ? `of ${ended.status}` : recordings.keep(tap, ended, first),
    })
    expect([runs, result?.failure?.recording]).toEqual([2, 'of fail'])
  })

  test('the cases of a copy that does not start run on the first', async () => {
    const notices: string[] = []
    const options = { ...OPTIONS, onNotice: (notice: string) => notices.push(notice) }
    const ends = await statuses(assumed(notStarted()), planOf(passes('a'), passes('b')), options)
    expect(ends).toEqual([
      ['pass', undefined],
      ['pass', undefined],
    ])
    expect(notices).toEqual([
      'copy 2 of the service did not start, the first runs its cases: its port is taken',
    ])
  })

  test('where the user says that they share nothing, a copy that does not start ends the run', async () => {
    const target = assumed(notStarted(), false)
    await expect(runCases(target, planOf(passes('a'), passes('b')), OPTIONS)).rejects.toThrow(
      'its port is taken',
    )
  })
})
