import type { LineFaultKind } from '../../simulation/faults/faults.ts'
import type { ChainBase } from './chainBase.ts'
import { LINE_PATH, type ReachedBase } from './lineProxy.ts'

/** A line proxy in another process, and the node behind it. */
export interface ReachedLine {
  readonly direct: string
  /** The state in which every run on it begins. */
  readonly base: ChainBase
  inject(kind: LineFaultKind): Promise<void>
  restore(): Promise<void>
  readonly interrupt: null
}

/** Returns the proxy at an RPC URL, as `plumbline sandbox --driven` starts one; null: it is a plain node. */
export async function reachLine(rpcUrl: string): Promise<ReachedLine | null> {
  const url = new URL(LINE_PATH, rpcUrl)
  let reached: { readonly direct?: unknown; readonly base?: ReachedBase }
  try {
    const answer = await fetch(url, { redirect: 'error' })
    if (!answer.ok) return null
    reached = (await answer.json()) as typeof reached
  } catch {
    // Not HTTP, or not JSON: it is a node, and the first call to it shows whether it works.
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
