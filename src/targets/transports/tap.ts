import type { ClientRecord } from '../../client/clientLog.ts'
import type { ClientIntent, RecordedReport } from '../../oracles/index.ts'
import type { Rpc } from '../../sandbox/rpc.ts'
import type { CommandTap } from '../../sandbox/tapRpc.ts'
import type { RunWatch, ScenarioReport } from '../../simulation/run/runLog.ts'
import type { StepInput } from '../../simulation/steps/steps.ts'
import type { HttpRequest, HttpResponse, Transport } from '../../spec/exchange.ts'
import type { Manifest } from '../../spec/manifest.ts'
import type { Capability, Need } from '../../spec/requirements/index.ts'
import type { Redact } from '../../spec/secrets/redact.ts'
import type { TargetKeys } from '../description.ts'
import type { Line } from '../environment/line.ts'
import { UnreadableAnswerError } from '../errors.ts'

/** Listens to the line between a service and its node. */
export interface LineTap {
  /**
   * Returns a request of the service arrived.
   *
   * @param fault what is done to it; null: it is passed on.
   * @returns called when it is over, with the body that the service got; null: it got none.
   */
  trip(body: string, fault: string | null): (answer: string | null) => void
}

/** Describes what a case knows of its own run. */
export interface CaseTap extends Required<Pick<RunWatch, 'begin' | 'end'>> {
  /** The steps that are run. */
  script(steps: readonly StepInput[]): void
  /**
   * A report of a transaction was judged; `request` is the one that made it.
   *
   * @param moments the report when it was sent and, where the chain changed meanwhile, when it was answered.
   */
  reported(request: HttpRequest, moments: readonly [RecordedReport, ...RecordedReport[]]): void
  /** The reports of a script; `requests` are those that it sent, in their order. */
  reportedAll(reports: readonly ScenarioReport[], requests: readonly HttpRequest[]): void
  /** A client has ended, and is judged by what the case asked of it. */
  ended(client: ClientRecord, intent: ClientIntent): void
}

/** Describes what a tap must know of the target that it listens to. */
export interface TappedTarget {
  readonly reach: Need
  readonly capabilities: ReadonlySet<Capability>
  readonly manifest: Manifest
  readonly keys: TargetKeys
  readonly redact: Redact
  /** Returns the time of the target's clock, as well as it is known. Epoch milliseconds. */
  readonly nowMs: () => number
  readonly chain: TappedChain | null
  /** True if the line reports to the tap. */
  readonly hasLine: boolean
  /** True if its cases run a client. */
  readonly hasClient: boolean
}

interface TappedChain {
  /** Reads it without being heard. */
  readonly rpc: Rpc
  /** The last block of the deployment. */
  readonly floorNumber: bigint
}

/** Listens to everything that passes between one target, the run and the chain. It changes nothing of it. */
export interface Tap extends LineTap {
  /** True if every case must be heard, so that none may run among others. */
  readonly hearsAll: boolean
  /** Called once, before any case. */
  open(target: TappedTarget): Promise<void>
  /** A case begins. */
  enter(): Promise<void>
  /** The case that is under way starts again on a chain as it was at the start. */
  again(): Promise<void>
  /** The case that is under way does what no recording holds: nothing of it is kept. */
  drop(): void
  /** @returns called when it is over, with the answer; null: none came. */
  asked(request: HttpRequest): (response: HttpResponse | null) => void
  /** The run changes the chain or the line. */
  control(...command: Parameters<CommandTap>): ReturnType<CommandTap>
  readonly ofCase: CaseTap
}

/** Returns the same transport, whose exchanges are heard. */
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

/** Returns the same line, whose faults are heard. */
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
