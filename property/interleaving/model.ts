import { z } from 'zod'
import { isDeepEnough } from '../../src/oracles/index.ts'

/** Three builds of one swap: their calldata is the same, so either transaction matches any of them. */
export const BUILDS = { b1: 'one', b2: 'one', b3: 'two' } as const
export type BuildName = keyof typeof BUILDS
export type TxName = 't1' | 't2'

const key = z.enum(['one', 'two'])
/** An action that may overlap with others: a request of a partner, or an event that no partner controls. */
export const deedSchema = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('confirm'),
    key,
    build: z.enum(['b1', 'b2', 'b3']),
    tx: z.enum(['t1', 't2']),
  }),
  z.strictObject({ do: z.literal('build'), key }),
  z.strictObject({ do: z.literal('revoke'), key }),
  /** Removes the swaps from the chain. */
  z.strictObject({ do: z.literal('reorg') }),
  z.strictObject({ do: z.literal('mine'), blocks: z.int().min(1).max(3) }),
])
export type Deed = z.output<typeof deedSchema>

/** The state of the service and its chain, as far as these actions depend on it. */
export interface ModelState {
  readonly depth: number
  readonly credits: Readonly<Partial<Record<BuildName, TxName>>>
  readonly revoked: readonly string[]
}

/** Returns the response to an action that runs alone, and the state afterwards. */
function carryOut(state: ModelState, deed: Deed): { readonly answer: string; readonly after: ModelState } {
  switch (deed.do) {
    case 'reorg':
      return { answer: 'done', after: { ...state, depth: 0 } }
    case 'mine':
      return { answer: 'done', after: { ...state, depth: state.depth === 0 ? 0 : state.depth + deed.blocks } }
    case 'revoke':
      return { answer: 'done', after: { ...state, revoked: [...state.revoked, deed.key] } }
    case 'build':
      return { answer: state.revoked.includes(deed.key) ? '401' : '200', after: state }
    case 'confirm':
      return confirm(state, deed)
  }
}

function confirm(state: ModelState, { key, build, tx }: Extract<Deed, { do: 'confirm' }>) {
  const { credits, depth, revoked } = state
  if (revoked.includes(key)) return { answer: '401', after: state }
  if (BUILDS[build] !== key) return { answer: '404', after: state }
  if (credits[build] === tx) return { answer: '200 again', after: state }
  if (credits[build] !== undefined || Object.values(credits).includes(tx))
    return { answer: '409', after: state }
  if (!isDeepEnough(depth)) return { answer: '202', after: state }
  return { answer: '200 new', after: { ...state, credits: { ...credits, [build]: tx } } }
}

/** An observed action: its response, and the turns between which it ran. */
export interface ObservedDeed {
  readonly name: string
  readonly deed: Deed
  readonly answer: string
  readonly firstTurn: number
  readonly lastTurn: number
}

/**
 * Returns a sequential order of the actions that explains every response; an action that ended before another began precedes
 * it. Null: there is none, so the responses cannot all be right.
 */
export function explanationOf(state: ModelState, deeds: readonly ObservedDeed[]): readonly string[] | null {
  if (deeds.length === 0) return []
  for (const next of deeds) {
    const others = deeds.filter((each) => each !== next)
    if (others.some(({ lastTurn }) => lastTurn < next.firstTurn)) continue
    const { answer, after } = carryOut(state, next.deed)
    if (answer !== next.answer) continue
    const rest = explanationOf(after, others)
    if (rest !== null) return [next.name, ...rest]
  }
  return null
}
