import type { LineFaultKind } from '../simulation/faults.ts'
import { LINE_PATH } from './lineProxy.ts'

/** A line proxy in another process, and the node behind it. */
export interface ReachedLine {
  readonly direct: string
  inject(kind: LineFaultKind): Promise<void>
  restore(): Promise<void>
}

/** Asks whether a proxy stands at an RPC URL, as `plumbline sandbox --driven` puts one there; null: a plain node. */
export async function reachLine(rpcUrl: string): Promise<ReachedLine | null> {
  const url = new URL(LINE_PATH, rpcUrl)
  let direct: unknown
  try {
    const answer = await fetch(url, { redirect: 'error' })
    if (!answer.ok) return null
    direct = ((await answer.json()) as { direct?: unknown }).direct
  } catch {
    // No HTTP, or no JSON: what stands there is a node, and whether it works shows in the first call to it.
    return null
  }
  if (typeof direct !== 'string') return null
  const set = async (fault: LineFaultKind | null): Promise<void> => {
    await fetch(url, { method: 'POST', body: JSON.stringify({ fault }) })
  }
  return { direct, inject: set, restore: () => set(null) }
}
