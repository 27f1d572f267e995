import { describe, expect, test } from 'vitest'
import { judge } from '../../oracles/index.ts'
import { PromiseBrokenError } from '../../targets/blame.ts'
import type { Environment } from '../../targets/environment/environment.ts'
import { recordServed } from '../../targets/evidence/evidence.ts'
import { EVERY_CAPABILITY } from '../../targets/scope.ts'
import type { TargetSession } from '../../targets/session.ts'
import { tallyRequirements } from '../verdict/tally.ts'
import { assertVerdicts } from './assertVerdicts.ts'
import type { Case } from './case.ts'
import { runCases } from './runCases.ts'

const testCase = (id: string, run: Case['run']): Case => ({
  id,
  title: id,
  requirements: ['tx.data'],
  uses: [],
  run,
})
const passes = (id: string) => testCase(id, async () => ({ exercised: 1 }))
const fails = (id: string) =>
  testCase(id, async () => {
    throw new PromiseBrokenError('tx.data', 'this', 'that')
  })
const planOf = (...cases: readonly Case[]) => cases.map((each) => ({ testCase: each, notApplicable: null }))

/** An environment that the cases do not use. */
const BARE = { transcript: [] } as unknown as Environment

function session(chainProblem: () => string | null = () => null): TargetSession {
  const lane = {
    enter: async () => BARE,
    takeWaitedMs: () => ({}),
    chainProblem: async () => chainProblem(),
  }
  return {
    ...{ name: 'a target', baseUrl: '', reach: 'http', capabilities: new Set(), parts: new Set() },
    ...{ lanes: [lane], secrets: [], notices: [], end: async () => {} },
    keep: () => Promise.reject(new Error('nothing is kept')),
  } as TargetSession
}
const OPTIONS = { replay: () => '', bail: false, stop: () => null }
const statuses = async (...args: Parameters<typeof runCases>) =>
  (await runCases(...args)).map(({ status, failure, notes }) => [status, failure?.blame ?? notes[0]])

test('a failure while the chain is gone is the fault of the chain, and no further case runs', async () => {
  const gone = session(() => 'Anvil died')
  const ends = await statuses(gone, planOf(passes('a'), fails('b'), passes('c')), OPTIONS)
  expect(ends).toEqual([
    ['pass', undefined],
    ['inconclusive', 'chain'],
    ['inconclusive', 'skipped: the chain is gone: Anvil died'],
  ])
})

test('the same failure on a chain that works is the fault of the target', async () => {
  expect(await statuses(session(), planOf(fails('b'), passes('c')), OPTIONS)).toEqual([
    ['fail', 'target'],
    ['pass', undefined],
  ])
})

test('an error that no promise explains is the fault of the harness', async () => {
  const breaks = testCase('x', async () => {
    throw new TypeError('undefined is not a function')
  })
  expect(await statuses(session(), planOf(breaks), OPTIONS)).toEqual([['inconclusive', 'harness']])
})

test('a case that exercised nothing is inconclusive, or does not apply where it says so', async () => {
  const idle = testCase('a', async () => ({ exercised: 0 }))
  const chosen = testCase('b', async () => ({ exercised: 0, notApplicable: 'there is no market estimate' }))
  expect(await statuses(session(), planOf(idle, chosen), OPTIONS)).toEqual([
    ['inconclusive', 'nothing was exercised'],
    ['not-applicable', 'there is no market estimate'],
  ])
})

test('with bail no case runs after the first failure', async () => {
  const ends = await statuses(session(), planOf(fails('a'), passes('b')), { ...OPTIONS, bail: true })
  expect(ends[1]).toEqual(['inconclusive', 'skipped: --bail'])
})

test('a case that does not apply is skipped, with the reason', async () => {
  const planned = [{ testCase: fails('a'), notApplicable: 'needs the profile sandbox' }]
  expect(await statuses(session(), planned, OPTIONS)).toEqual([
    ['not-applicable', 'needs the profile sandbox'],
  ])
})

/** Records a correct refusal. */
const refuse = () =>
  assertVerdicts([judge('tx.data', true, { expected: 400, actual: 400 })], undefined, 'build')
const ofTwins = async (run: () => void) => {
  const results = await runCases(
    session(),
    planOf(
      testCase('a', async () => {
        run()
        return { exercised: 1 }
      }),
    ),
    OPTIONS,
  )
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
})

test('a case that ends because the twin is not served leaves no pass of the refusal', async () => {
  const ends = await ofTwins(() => {
    refuse()
    throw new TypeError('the twin is not served')
  })
  expect(ends).toEqual(['inconclusive', 'harness', undefined, undefined])
})

test('each case that ran has its time, by the clock of the run', async () => {
  let nowMs = 0
  const clock = { nowMs: () => nowMs }
  const slow = testCase('slow', async () => {
    nowMs += 1_500
    return { exercised: 1 }
  })
  const left = { testCase: passes('left'), notApplicable: 'not here' }
  const results = await runCases(session(), [...planOf(passes('quick'), slow), left], {
    ...OPTIONS,
    ...clock,
  })
  expect(results.map(({ durationMs }) => durationMs)).toEqual([0, 1_500, undefined])
})

describe('cases that wait under the same fault', () => {
  const slow = (id: string, run: Case['run']): Case => ({ ...testCase(id, run), waitsUnder: 'hanging' })

  /** Returns a target whose lane lets cases wait together, and a log of what happens on it. */
  function waitingSession() {
    const log: string[] = []
    const runner = (name: string) => ({
      enter: async () => {
        log.push(name)
        return BARE
      },
      takeWaitedMs: () => ({}),
    })
    const place = () => ({ ...runner('together'), leave: () => void log.push('left') })
    const lane = {
      ...runner('alone'),
      chainProblem: async () => null,
      together: (count: number) => Array.from({ length: count }, place),
    }
    return { log, session: { ...session(), lanes: [lane] } as TargetSession }
  }

  test('run at the same time, and the results keep the order of the plan', async () => {
    let begun = 0
    let go: () => void = () => {}
    const bothBegun = new Promise<void>((resolve) => {
      go = resolve
    })
    const meets = async () => {
      begun += 1
      if (begun === 2) go()
      await bothBegun
      return { exercised: 1 }
    }
    const { log, session: target } = waitingSession()
    const results = await runCases(target, planOf(slow('a', meets), passes('b'), slow('c', meets)), OPTIONS)
    expect(results.map(({ id, status }) => [id, status])).toEqual([
      ['a', 'pass'],
      ['b', 'pass'],
      ['c', 'pass'],
    ])
    expect(log).toEqual(['together', 'together', 'left', 'left', 'alone'])
  })

  test('and one that does not end well is run again alone', async () => {
    const { log, session: target } = waitingSession()
    const clumsy = slow('a', async () => {
      if (!log.includes('alone')) throw new PromiseBrokenError('tx.data', 'this', 'that')
      return { exercised: 1 }
    })
    const broken = slow('b', async () => {
      throw new PromiseBrokenError('tx.data', 'this', log.includes('alone') ? 'that' : 'something else')
    })
    const results = await runCases(target, planOf(clumsy, broken), OPTIONS)
    expect(results.map(({ status, failure }) => [status, failure?.actual])).toEqual([
      ['pass', undefined],
      ['fail', 'that'],
    ])
  })

  test('and all of them are reported as running', async () => {
    const said: string[] = []
    const { session: target } = waitingSession()
    const well = async () => ({ exercised: 1 })
    const onRunning = (ids: readonly string[]) => said.push(ids.join(' '))
    await runCases(target, planOf(slow('a', well), slow('b', well)), { ...OPTIONS, onRunning })
    expect(said).toEqual(['a', 'a b', 'b', ''])
  })

  test('with bail each waits by itself', async () => {
    const { log, session: target } = waitingSession()
    const well = async () => ({ exercised: 1 })
    await runCases(target, planOf(slow('a', well), slow('b', well)), { ...OPTIONS, bail: true })
    expect(log).toEqual(['alone', 'alone'])
  })
})

/** Returns a session of two copies that share the cases out; each environment has a name. */
function twoCopies(): TargetSession {
  const lane = (name: string) => ({
    enter: async () => ({ ...BARE, name }) as Environment,
    takeWaitedMs: () => ({}),
    chainProblem: async () => null,
  })
  return { ...session(), lanes: [lane('one'), lane('two')], casesAreDealt: true } as TargetSession
}

test('copies of a target get the same cases each time, whichever is quicker', async () => {
  const ran: string[] = []
  const copies = twoCopies()
  const where = (id: string, waitsS: number): Case => ({
    ...testCase(id, async (environment) => {
      ran.push(`${id} in ${(environment as unknown as { name: string }).name}`)
      return { exercised: 1 }
    }),
    waitsS,
  })
  const cases = planOf(where('a', 0), where('b', 9), where('c', 0), where('d', 0))
  const results = await runCases(copies, cases, OPTIONS)
  expect(ran.toSorted()).toEqual(['a in two', 'b in one', 'c in two', 'd in two'])
  expect(results.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
})

test('with bail all the requested copies run, and begin nothing after a failure in one', async () => {
  const ran: string[] = []
  const copies = twoCopies()
  let fail = () => {}
  const failed = new Promise<void>((resolve) => {
    fail = resolve
  })
  const where = (id: string, run: () => Promise<void>, waitsS: number): Case => ({
    ...testCase(id, async (environment) => {
      ran.push(`${id} in ${(environment as unknown as { name: string }).name}`)
      await run()
      return { exercised: 1 }
    }),
    waitsS,
  })
  const breaks = async () => {
    fail()
    throw new PromiseBrokenError('tx.data', 'this', 'that')
  }
  const well = async () => {}
  const cases = planOf(
    where('a', () => failed, 9),
    where('b', breaks, 8),
    where('c', well, 1),
    where('d', well, 1),
  )
  const ends = await statuses(copies, cases, { ...OPTIONS, bail: true })
  expect(ran).toEqual(['a in one', 'b in two'])
  expect(ends).toEqual([
    ['pass', undefined],
    ['fail', 'target'],
    ['inconclusive', 'skipped: --bail'],
    ['inconclusive', 'skipped: --bail'],
  ])
})

test('a case that could not be judged while other copies ran is run again once they are done, before a key is used up', async () => {
  const ran: string[] = []
  const lane = {
    enter: async () => BARE,
    takeWaitedMs: () => ({}),
    chainProblem: async () => null,
  }
  const copies = { ...session(), lanes: [lane, lane], casesAreDealt: true } as TargetSession
  const slow = testCase('slow', async () => {
    ran.push('slow')
    if (!ran.includes('other')) throw new RangeError('too slow')
    return { exercised: 1 }
  })
  const other = testCase('other', async () => {
    ran.push('other')
    return { exercised: 1 }
  })
  const revokes: Case = {
    ...testCase('revokes', async () => {
      ran.push('revokes')
      return { exercised: 1 }
    }),
    uses: ['revokeKey'],
  }
  const seen: string[] = []
  const onResult = ({ id, status }: { readonly id: string; readonly status: string }) =>
    seen.push(`${id} ${status}`)
  const results = await runCases(copies, planOf(slow, other, revokes), { ...OPTIONS, onResult })
  expect(results.map(({ status }) => status)).toEqual(['pass', 'pass', 'pass'])
  expect(seen).toEqual(['other pass', 'slow pass', 'revokes pass'])
  expect(ran).toEqual(['slow', 'other', 'slow', 'revokes'])
})

test('the running cases are reported whenever one begins or ends', async () => {
  const said: string[] = []
  const onRunning = (ids: readonly string[]) => said.push(ids.join(' '))
  await runCases(session(), planOf(passes('a'), fails('b')), { ...OPTIONS, onRunning })
  expect(said).toEqual(['a', '', 'b', ''])
})

describe('copies that are only assumed to share nothing', () => {
  const lane = {
    enter: async () => BARE,
    takeWaitedMs: () => ({}),
    chainProblem: async () => null,
  }
  const assumed = (...later: Promise<typeof lane>[]) =>
    ({
      ...session(),
      lanes: [lane],
      later,
      casesAreDealt: true,
      copiesAreAssumed: true,
    }) as unknown as TargetSession

  test('a case that fails among them and not alone is neither passed nor blamed on the target', async () => {
    const ran: string[] = []
    const disturbed = testCase('disturbed', async () => {
      ran.push('disturbed')
      if (!ran.includes('other')) throw new PromiseBrokenError('tx.data', 'this', 'that')
      return { exercised: 1 }
    })
    const other = testCase('other', async () => {
      ran.push('other')
      return { exercised: 1 }
    })
    const results = await statuses(
      assumed(Promise.resolve(lane)),
      planOf(disturbed, other, fails('c')),
      OPTIONS,
    )
    expect(results).toEqual([
      ['inconclusive', 'harness'],
      ['pass', undefined],
      ['fail', 'target'],
    ])
    expect(ran).toEqual(['disturbed', 'other', 'disturbed'])
  })

  test('a failure stays a failure where the case cannot be judged again, or can be run only once', async () => {
    const ran: string[] = []
    const failsFirst = (id: string, uses: Case['uses'] = []) => ({
      ...testCase(id, async () => {
        ran.push(id)
        if (ran.filter((each) => each === id).length > 1) throw new Error('a key is gone')
        throw new PromiseBrokenError('tx.data', 'this', 'that')
      }),
      uses,
    })
    const planned = planOf(failsFirst('a'), failsFirst('b', ['revokeKey']), passes('c'))
    const results = await statuses(assumed(Promise.resolve(lane)), planned, OPTIONS)
    expect(results.map(([status]) => status)).toEqual(['fail', 'fail', 'pass'])
    expect(ran.toSorted()).toEqual(['a', 'a', 'b'])
  })

  test('the cases of a copy that does not start run on the first', async () => {
    const notices: string[] = []
    const target = assumed(Promise.reject(new Error('its port is taken')))
    const options = { ...OPTIONS, onNotice: (notice: string) => notices.push(notice) }
    expect(await statuses(target, planOf(passes('a'), passes('b'), passes('c')), options)).toEqual(
      Array.from({ length: 3 }, () => ['pass', undefined]),
    )
    expect(notices).toEqual([
      'copy 2 of the service did not start, the first runs its cases: its port is taken',
    ])
  })

  test('where the user says that they share nothing, a copy that does not start ends the run', async () => {
    const target = { ...assumed(Promise.reject(new Error('its port is taken'))), copiesAreAssumed: false }
    await expect(runCases(target, planOf(passes('a'), passes('b')), OPTIONS)).rejects.toThrow(
      'its port is taken',
    )
  })
})
