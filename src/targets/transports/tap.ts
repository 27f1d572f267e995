import type { ClientRecord } from '../../client/clientLog.ts'
import type { ClientIntent, RecordedReport } from '../../oracles/index.ts'
import type { Rpc } from '../../sandbox/rpc.ts'
import type { CommandTap } from '../../sandbox/tapRpc.ts'
import type { RunWatch, ScenarioReport } from '../../simulation/run/runLog.ts'
import type { StepInput } from '../../simulation/steps/steps.ts'
import type { HttpRequest, HttpResponse, Transport } from '../../spec/exchange.ts'
import type { Manifest } from '../../spec/manifest.ts'
import type { PartnerReport } from '../../spec/partnerReport.ts'
import type { Capability, Need } from '../../spec/requirements/index.ts'
import type { Redact } from '../../spec/secrets/redact.ts'
import type { TargetKeys } from '../description.ts'
import type { Line } from '../environment/line.ts'
import { UnreadableAnswerError } from '../errors.ts'

/** Observes the line between a service and its node. */
export interface LineTap {
  /**
   * Called when a request of the service arrives.
   *
   * @param fault the fault that it meets; null: it is passed on.
   * @returns called when it is over, with the body that the service got; null: it got none.
   */
  trip(body: string, fault: string | null): (answer: string | null) => void
}

/** Receives what a case knows of its own run. */
export interface CaseTap extends Required<Pick<RunWatch, 'begin' | 'end'>> {
  /** Called with the steps that are run. */
  script(steps: readonly StepInput[]): void
  /**
   * Called when a report of a transaction was judged; `request` is the one that made it.
   *
   * @param moments the report when it was sent and, if the chain changed meanwhile, when it was answered.
   */
  reported(request: HttpRequest, moments: readonly [RecordedReport, ...RecordedReport[]]): void
  /** Called with the reports of a script; `requests` are those that it sent, in their order. */
  reportedAll(reports: readonly ScenarioReport[], requests: readonly HttpRequest[]): void
  /** Called when a client has ended, with the intent by which the case judges it. */
  ended(client: ClientRecord, intent: ClientIntent): void
}

/** Facts about a target that its tap needs. */
export interface TappedTarget {
  readonly reach: Need
  readonly capabilities: ReadonlySet<Capability>
  readonly manifest: Manifest
  readonly keys: TargetKeys
  readonly partnerReport: PartnerReport
  readonly redact: Redact
  /** Returns the time of the target's clock, as closely as it is known. Epoch milliseconds. */
  readonly nowMs: () => number
  readonly chain: TappedChain | null
  /** True if the line reports to the tap. */
  readonly hasLine: boolean
  /** True if its cases run a client. */
  readonly hasClient: boolean
}

interface TappedChain {
  /** Reads the chain without being observed. */
  readonly rpc: Rpc
  /** The last block of the deployment. */
  readonly floorNumber: bigint
}

/** Observes everything that passes between one target, the run and the chain, and changes none of it. */
export interface Tap extends LineTap {
  /** True if every case must be observed, so that none may run among others. */
  readonly hearsAll: boolean
  /** Called once, before any case. */
  open(target: TappedTarget): Promise<void>
  /** Called when a case begins. */
  enter(): Promise<void>
  /** Called when the running case starts again, on a chain as it was at the start. */
  again(): Promise<void>
  /** Called when the running case does what no recording can contain: its recording is dropped. */
  drop(): void
  /** Called when a request is sent. @returns called when it is over, with the response; null: none came. */
  asked(request: HttpRequest): (response: HttpResponse | null) => void
  /** Called when the run changes the chain or the line. */
  control(...command: Parameters<CommandTap>): ReturnType<CommandTap>
  readonly ofCase: CaseTap
}

/** Returns the same transport, with its exchanges observed. */
export function tapTransport(transport: Transport, tap: Tap): Transport {
  return async (request) => {
    const answered = tap.asked(request)
    try {
      const response = await transport(request)
      answered(response)
      return response
    } catch (error) {
      answered(error instanceof UnreadableAnswerError ? error.response : null)
      throw error
    }
  }
}

/** Returns the same line, with its faults observed. */
export function tapLine(line: Line, tap: Tap): Line {
  return {
    inject: async (kind) => {
      const done = tap.control('line.inject', [kind])
      await line.inject(kind)
      await done(null)
    },
    restore: async () => {
      const done = tap.control('line.restore', [])
      await line.restore()
      await done(null)
    },
    interrupt: line.interrupt,
  }
}
