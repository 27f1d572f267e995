import { expect, test } from 'vitest'
import { propertyCases } from '../../property/cases.ts'
import { PARTNER_KEYS } from '../fixtures/partners.ts'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import type { CaseResult } from '../runner/cases/runCase.ts'
import { runCases } from '../runner/cases/runCases.ts'
import { planCases } from '../runner/plan/plan.ts'
import { readConfig } from '../service/config.ts'
import { startService } from '../service/main.ts'
import type { Environment } from '../targets/environment/environment.ts'
import { realTime } from '../targets/realTime.ts'
import type { TargetSession } from '../targets/session.ts'
import { startReference } from '../targets/starting/reference.ts'
import { type Served, type ServiceContext, startServed } from '../targets/starting/served.ts'

const CONFIG = readConfig({ PORT: '0', LOG_LEVEL: 'silent' })

const folder = temporaryFolder()

/** Serves the reference over HTTP, like any other implementation. */
async function serve({ manifest }: ServiceContext): Promise<Served> {
  const { url, stop } = await startService(CONFIG, manifest, Object.values(PARTNER_KEYS))
  return { url, close: stop }
}

const FEW = { seed: 3, budget: 'quick', cases: 1 } as const
/** The properties that need no in-process access. */
const ANYWHERE = new Set(propertyCases(FEW).flatMap(({ id, uses }) => (uses.includes('inside') ? [] : [id])))

/** Returns the session without in-process access. */
function withoutInside(session: TargetSession): TargetSession {
  const asOutside = (whole: Environment): Environment => {
    const outside: Environment = Object.create(whole, {
      inside: { value: null },
      fresh: { value: async () => asOutside((await whole.fresh?.()) ?? whole) },
    })
    return outside
  }
  const lanes = session.lanes.map((lane) => ({ ...lane, enter: async () => asOutside(await lane.enter()) }))
  return { ...session, lanes }
}

/** Runs a case of every family. Returns the result of each property. */
async function put(session: TargetSession, only?: ReadonlySet<string>): Promise<readonly CaseResult[]> {
  try {
    const cases = propertyCases({ ...FEW, ...(only === undefined ? {} : { only }) })
    return await runCases(session, planCases(cases, session), {
      bail: false,
      stop: () => null,
      replay: ({ id }) => id,
    })
  } finally {
    await session.end()
  }
}

test('a service over HTTP gets the same cases and verdicts of every property as in this process', async () => {
  const [inside, outside] = await Promise.all([
    startReference({ seed: 1, reach: 'sandbox', seams: {}, lanes: 1 }).then((session) =>
      put(withoutInside(session), ANYWHERE),
    ),
    startServed(serve, {
      reach: 'sandbox',
      description: {
        schema: 'plumbline-capabilities/1',
        capabilities: ['attribution', 'permit2', 'partner-report'],
      },
      keys: PARTNER_KEYS,
      env: [],
      secrets: [],
      directory: folder.path,
      endsAtMs: realTime.nowMs() + 120_000,
      requests: { sent: 0, unanswered: 0 },
      requestsMax: Number.POSITIVE_INFINITY,
    }).then((session) => put(session)),
  ])
  expect(inside.filter(({ status }) => status === 'fail')).toEqual([])
  const told = outside.filter(({ status }) => status !== 'not-applicable')
  const ended = ({ id, status, exercised, notes }: CaseResult) => ({ id, status, exercised, notes })
  const byId = (one: CaseResult, other: CaseResult) => (one.id < other.id ? -1 : 1)
  expect(told.toSorted(byId).map(ended)).toEqual(inside.toSorted(byId).map(ended))
  expect(told.filter(({ exercised }) => exercised > 0).length).toBeGreaterThan(30)
  // Each property that could not be run says why.
  const silent = outside.filter(({ status }) => status === 'not-applicable')
  expect(silent.map(({ notes }) => notes[0])).toEqual(
    silent.map(() => expect.stringMatching(/^needs in-process access: .{20}/)),
  )
})
