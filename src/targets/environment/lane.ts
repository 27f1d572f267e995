import { ACCOUNTS } from '../../fixtures/accounts.ts'
import { FAULTS } from '../../simulation/faults/faults.ts'
import type { DrivenChain } from '../../simulation/world/drivenChain.ts'
import type { Exchange } from '../../spec/exchange.ts'
import type { Manifest } from '../../spec/manifest.ts'
import type { PartnerReport } from '../../spec/partnerReport.ts'
import type { Capability, Need } from '../../spec/requirements/index.ts'
import type { Redact } from '../../spec/secrets/redact.ts'
import { BlamedError } from '../blame.ts'
import type { ConfirmBudget, TargetKeys } from '../description.ts'
import { forgetConditions, noteDone, noteFault } from '../evidence/evidence.ts'
import { keepExchange } from '../evidence/kept.ts'
import type { Lane, Place } from '../session.ts'
import type { Tap } from '../transports/tap.ts'
import { createClient } from './client.ts'
import type { ClientUnderTest } from './clients.ts'
import type { Environment, KeyName, SampleSwaps } from './environment.ts'
import type { Inside } from './inside.ts'
import { type Line, shareLine } from './line.ts'
import type { Pace } from './pace.ts'
import { onceCurrent } from './partnerReport.ts'

/** A target that can be reached, over any transport: its declarations, and the parts that a case can use. */
export interface ReachedTarget {
  readonly reach: Need
  readonly capabilities: ReadonlySet<Capability>
  readonly confirmBudget: ConfirmBudget | null
  readonly partnerReport: PartnerReport
  readonly samples: SampleSwaps
  readonly manifest: Manifest
  readonly keys: TargetKeys
  /** Removes the keys from a text. */
  readonly redact: Redact
  readonly pace: Pace
  /** Brings chain and service to the start of a case, as far as possible. */
  begin(): Promise<void>
  /** Returns the reason that its chain does not respond; null: it does, or none is known. */
  chainProblem(): Promise<string | null>
  /** Returns control of its chain for one environment; null: the profile gives none. */
  readonly control: (() => DrivenChain) | null
  readonly line: Line | null
  /** Revokes a key by its id. Resolves to the command that did it; null: none was needed. */
  readonly revokeKey: ((keyId: string) => Promise<string | null>) | null
  /** Ends the service and starts it again, on its stored data; null: the run did not start it. */
  readonly restart: (() => Promise<void>) | null
  /** Null: the service runs in another process, or its profile hides in-process access. */
  readonly inside: Inside | null
  /** Returns the client under test, whose exchanges go to `onExchange`; null: there is none. */
  readonly program: ((onExchange: (exchange: Exchange) => void) => ClientUnderTest) | null
  /** Observes the whole target; null: there is none. */
  readonly tap: Tap | null
}

/** The exchanges of a case since its last fresh start. */
interface Transcript {
  exchanges: Exchange[]
}

/** Returns the one lane of a target. Cases run one after another, except for those that wait in real time under the same fault. */
export function laneOf(target: ReachedTarget): Lane {
  const { line, pace, reach, tap } = target
  const open = environmentsOf(target)
  // A fresh start empties the transcript of its case, so that environments from before it show the new exchanges.
  const start = async (transcript: Transcript, asItStands = false): Promise<Environment> => {
    if (!asItStands) await target.begin()
    transcript.exchanges = []
    forgetConditions()
    return open(line, transcript, async () => {
      const fresh = await start(transcript)
      await tap?.again()
      return fresh
    })
  }
  const places = (all: Line, count: number): readonly Place[] => {
    let begun: Promise<void> | null = null
    return shareLine(all, count).map((own) => {
      const fresh = () => Promise.reject(outOfReach('a fresh start among others that wait', reach))
      return {
        enter: async () => {
          begun ??= target.begin()
          await begun
          return open(own, { exchanges: [] }, fresh)
        },
        takeWaitedMs: pace.takeWaitedMs,
        leave: own.leave,
      }
    })
  }
  return {
    enter: async (asItStands) => {
      const entered = await start({ exchanges: [] }, asItStands)
      await tap?.enter()
      return entered
    },
    takeWaitedMs: pace.takeWaitedMs,
    chainProblem: () => target.chainProblem(),
    // Observations made while several cases wait cannot be assigned to one of them.
    ...(line === null || !pace.isReal || tap?.hearsAll === true
      ? {}
      : { together: (count: number) => places(line, count) }),
    ...(tap === null ? {} : { tap }),
  }
}

/** Returns the environment of a target as it is; its fresh start returns the same environment with an empty transcript. */
export function environmentOf(target: ReachedTarget): Environment {
  const transcript: Transcript = { exchanges: [] }
  const environment: Environment = environmentsOf(target)(target.line, transcript, async () => {
    await target.begin()
    transcript.exchanges = []
    return environment
  })
  return environment
}

/** Returns a function that makes environments of a target, each with its own line, transcript and fresh start. */
function environmentsOf(target: ReachedTarget) {
  const { reach, keys, pace, partnerReport, redact, revokeKey } = target
  const keyOf = (name: KeyName) => {
    const key = keys[name]
    if (key === undefined) throw outOfReach(`the key ${name}`, reach)
    return key
  }
  return (line: Line | null, transcript: Transcript, fresh: () => Promise<Environment>): Environment => {
    const client = (secret: string | null, patience: 'obey-429' | 'none') =>
      createClient(
        onceCurrent(pace.transport(patience), partnerReport, pace.pass),
        secret,
        transcript.exchanges,
        partnerReport,
        redact,
      )
    return {
      capabilities: target.capabilities,
      confirmBudget: target.confirmBudget,
      samples: target.samples,
      manifest: target.manifest,
      get transcript() {
        return transcript.exchanges
      },
      clock: pace.clock,
      address: (account) => ACCOUNTS[account].address,
      keys: new Set(
        Object.entries(keys).flatMap(([name, key]) => (key === undefined ? [] : [name as KeyName])),
      ),
      secret: (key) => keyOf(key).secret,
      client: (key = 'one', patience = 'obey-429') =>
        client(key === null ? null : keyOf(key).secret, patience),
      clientWithSecret: (secret) => client(secret, 'obey-429'),
      pass: async (deltaMs) => {
        noteDone(`${deltaMs / 1_000} s passed`)
        await pace.pass(deltaMs)
      },
      untilFinal: pace.untilFinal,
      unmemoized: pace.unmemoized,
      outlastMemo: pace.outlastMemo,
      endMemo: pace.endMemo,
      outlastBudget: pace.outlastBudget,
      control: target.control === null ? null : target.control(),
      line: line === null ? null : notedLine(line),
      revokeKey:
        revokeKey === null
          ? null
          : (key) => {
              noteDone(`the key ${key} was revoked`)
              return revokeKey(keyOf(key).keyId)
            },
      fresh,
      restart:
        target.restart === null
          ? null
          : async () => {
              noteDone('the service was started again')
              await target.restart?.()
            },
      inside: target.inside,
      program:
        target.program?.((exchange) => transcript.exchanges.push(keepExchange(exchange, redact))) ?? null,
      recording: target.tap?.ofCase ?? null,
    }
  }
}

/** Returns the same line, with its faults shown next to the requests that are sent under them. */
function notedLine(line: Line): Line {
  const name = 'the line of the service to its chain'
  return {
    inject: async (kind) => {
      await line.inject(kind)
      noteFault(name, FAULTS.line[kind].effect)
    },
    restore: async () => {
      await line.restore()
      noteFault(name, null)
    },
    interrupt: line.interrupt,
  }
}

/** Returns the error for a case that uses more than it declares. */
function outOfReach(what: string, reach: Need): BlamedError {
  return new BlamedError(
    'harness',
    'a case that uses only what it declares',
    `a case wanted ${what} in the profile ${reach}`,
    'Declare in `uses` what the case needs.',
  )
}
