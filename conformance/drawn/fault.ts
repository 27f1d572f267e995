import type { InjectedAnswer, Order, RpcCall, Build as SavedBuild } from '../../src/service/testing.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import type { WireTransaction } from '../defects/helpers/ports.ts'
import type { Deal } from '../defects/helpers/rules.ts'
import type { Endpoint, Fields, Json } from '../defects/helpers/wire.ts'
import type { Scene } from './scene.ts'

/** One small fault, at its seam. `change` returns null if there is nothing to change. */
export type Fault =
  | {
      readonly at: 'response'
      readonly change: (answer: InjectedAnswer, scene: Scene) => InjectedAnswer | null
    }
  | { readonly at: 'request'; readonly change: (fields: Fields) => Fields | null }
  | { readonly at: 'key' }
  | { readonly at: 'memory' }
  | { readonly at: 'order'; readonly change: (order: Order, deal: Pick<Deal, 'engine'>) => Order }
  | { readonly at: 'transaction'; readonly change: (saved: SavedBuild) => WireTransaction }
  | { readonly at: 'reply'; readonly change: (call: RpcCall, result: Json) => Json }

/** A fault that no reading of the specification allows, its endpoint, and a requirement that it violates. */
export interface Change {
  readonly of: Endpoint
  readonly breaks: RequirementId
  readonly fault: Fault
  /** Groups of conditions that are unknown at this seam, and conditions under which there is nothing to change. */
  readonly never?: readonly string[]
}
