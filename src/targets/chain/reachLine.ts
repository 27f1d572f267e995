import type { LineFaultKind } from '../../simulation/faults/faults.ts'
import type { ChainBase } from './chainBase.ts'
import { LINE_PATH, type ReachedBase } from './lineProxy.ts'

/** A line proxy in another process, and the node behind it. */
export interface ReachedLine {
  readonly direct: string
  /** Where every run on it begins. */
  readonly base: ChainBase
  inject(kind: LineFaultKind): Promise<void>
  restore(): Promise<void>
  readonly interrupt: null
}

/** Asks whether a proxy stands at an RPC URL, as `plumbline sandbox --driven` puts one there; null: a plain node. */
export async function reachLine(rpcUrl: string): Promise<ReachedLine | null> {
  const url = new URL(LINE_PATH, rpcUrl)
  let reached: { readonly direct?: unknown; readonly base?: ReachedBase }
  try {
    const answer = await fetch(url, { redirect: 'error' })
    if (!answer.ok) return null
    reached = (await answer.json()) as typeof reached
  } catch {
    // No HTTP, or no JSON: what stands there is a node, and whether it works shows in the first call to it.
    return null
  }
  const { direct, base } = reached
  if (typeof direct !== 'string' || base === undefined) return null
  const set = async (fault: LineFaultKind | null): Promise<void> => {
    await fetch(url, { method: 'POST', body: JSON.stringify({ fault }) })
  }
  return {
    direct,
    base: { number: BigInt(base.number), stateRoot: base.stateRoot },
    inject: set,
    restore: () => set(null),
    interrupt: null,
  }
}
