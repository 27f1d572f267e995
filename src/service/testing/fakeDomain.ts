import type { BuildResponse, QuoteResponse, Route } from '../../spec/wire.ts'
import { type AppOptions, buildAppFor } from '../app.ts'
import type { ServiceDeps } from '../deps.ts'
import type { Domain } from '../domain.ts'
import { UnauthorizedError } from '../errors.ts'
import { createLife, type Life } from '../http/life.ts'
import type { HttpServer } from '../http/server.ts'
import { DEFAULT_LIMITS, type ServiceLimits } from '../limits.ts'
import type { Clock } from '../ports.ts'
import type { BudgetSpend } from '../records.ts'
import { buildsOnly, keyOf, testDeps } from './deps.ts'

export const KEY = 'good-key'
export const WITH_KEY = { authorization: `Bearer ${KEY}` }
const NOW_MS = 1_700_000_000_000

const UUID = '00000000-0000-4000-8000-00000000000a'
const ROUTE: Route = {
  engine: 'venue_a',
  venues: ['Venue A'],
  hops: [{ from: 'ETH', to: 'USDG', dex: 'venue_a', dexName: 'Venue A', share: 1 }],
  amountIn: 1,
  amountOut: 2500,
  minimumReceived: 2487.5,
  midRate: 2500,
  priceImpactBps: 0,
  networkFeeEth: 0.0001,
  slippageBps: 50,
  executable: true,
  protocolFeeBps: 0,
  quoteId: UUID,
  expiresAt: NOW_MS + 15_000,
  alternatives: [],
}
const FEES = {
  listedFeeBps: 0,
  integratorFeeBps: 0,
  partnerFeeBps: 0,
  partnerFeeRecipient: null,
  totalFeeBps: 0,
}
const QUOTE: QuoteResponse = { route: ROUTE, ...FEES }
const BUILD: BuildResponse = {
  route: ROUTE,
  engine: 'venue_a',
  tx: {
    to: '0x00000000000000000000000000000000000000aa',
    data: '0x',
    value: '0',
    allowanceTarget: null,
    permit2: false,
    chainId: 4663,
  },
  feeTransfer: null,
  attribution: null,
  ...FEES,
}

/** The functions of the domain that a test replaces. */
export interface DomainChanges {
  readonly quote?: Domain['quoter']['quote']
  readonly build?: Domain['builder']['build']
  readonly confirm?: Domain['confirmer']['confirm']
  readonly report?: Domain['partners']['report']
  readonly authenticate?: Domain['partners']['authenticate']
  readonly check?: Domain['health']['check']
  readonly spendBudget?: ServiceDeps['store']['spendBudget']
}

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error'
  readonly event: string
  readonly fields: Record<string, unknown>
}

export interface FakeApp {
  readonly app: HttpServer
  /** Arguments of every domain call and budget request, in order. */
  readonly calls: { readonly name: string; readonly request: unknown }[]
  readonly lines: LogLine[]
}

interface FakeLife extends Omit<FakeApp, 'app'> {
  readonly life: Life
}

/** Returns a service without HTTP whose domain answers every call with success, unless the test replaces it. */
function fakeLife(
  changes: DomainChanges,
  limits = DEFAULT_LIMITS,
  clock: Clock = { nowMs: () => NOW_MS, monotonicMs: () => 0, after: () => () => undefined },
): FakeLife {
  const calls: FakeApp['calls'] = []
  const lines: LogLine[] = []
  const seen = <Request, Answer>(name: string, answer: (request: Request) => Promise<Answer>) => {
    return (request: Request) => {
      calls.push({ name, request })
      return answer(request)
    }
  }
  const write = (level: LogLine['level']) => (event: string, fields: Record<string, unknown>) => {
    lines.push({ level, event, fields })
  }
  const chain = {
    send: () => {
      throw new Error('this service has no chain')
    },
  }
  const spend = changes.spendBudget ?? (async () => ({ spent: 1, resetsAtMs: NOW_MS + 60_000 }))
  const store = { ...buildsOnly([]), spendBudget: seen<BudgetSpend, Spent>('spendBudget', spend) }
  const deps: ServiceDeps = {
    ...testDeps(clock, chain, { store }),
    log: { info: write('info'), warn: write('warn'), error: write('error') },
  }
  const caller = keyOf('individual')
  const domain: Domain = {
    quoter: {
      quote: (request, by, at) =>
        seen('quote', () => (changes.quote ?? (async () => QUOTE))(request, by, at))(request),
    },
    builder: {
      build: (request, by, at) =>
        seen('build', () => (changes.build ?? (async () => BUILD))(request, by, at))(request),
    },
    confirmer: {
      confirm: (request, by) =>
        seen('confirm', () =>
          (changes.confirm ?? (async () => ({ recorded: true, alreadyRecorded: false }) as const))(
            request,
            by,
          ),
        )(request),
    },
    partners: {
      authenticate:
        changes.authenticate ??
        (async (authorization) => {
          if (authorization !== `Bearer ${KEY}`) throw new UnauthorizedError('the key is missing or unknown')
          return caller
        }),
      report:
        changes.report ??
        (async () => ({
          confirmedSwaps: 3,
          lastConfirmationMs: NOW_MS,
          notionalUsdMicros: 5_000_000_001n,
          pricedSwaps: 2,
          unpricedSwaps: 1,
        })),
    },
    health: { check: changes.check ?? (async () => undefined) },
  }
  return { life: createLife(deps, domain, limits), calls, lines }
}

/** Returns a function that starts such a service on one application: building one takes longer than most tests. */
export async function fakeApps(options: AppOptions = {}) {
  let life: Life
  const app = await buildAppFor(() => life, options)
  return (changes: DomainChanges = {}, limits?: ServiceLimits, clock?: Clock): FakeApp => {
    const fake = fakeLife(changes, limits, clock)
    life = fake.life
    return { app, calls: fake.calls, lines: fake.lines }
  }
}

type Spent = Awaited<ReturnType<ServiceDeps['store']['spendBudget']>>
