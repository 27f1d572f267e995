import type { Floor } from '../results.ts'
import type { Verdict } from './model.ts'

/** A campaign as its page shows it. All texts of a target in it are what the target sent, and not to be trusted. */
export interface CampaignView {
  readonly id: string
  /** What is run under each seed, in words. */
  readonly what: string
  readonly seeds: { readonly first: number; readonly last: number; readonly done: number }
  readonly state: 'open' | 'finished' | 'stopped'
  /** Why it was stopped, where nobody asked for that. */
  readonly problem: string | null
  /** As of its report now. */
  readonly verdict: 'conforms' | 'does-not-conform' | 'inconclusive'
  /** Why the database cannot be read; everything else is as it was before. null: it can. */
  readonly away: string | null
  readonly seedsPerS: number | null
  readonly leftS: number | null
  readonly machines: readonly {
    readonly machine: string
    readonly ranges: number
    readonly seeds: number
    /** Ranges that it runs now. */
    readonly inHand: number
  }[]
  /** How many states were met, and what all of the seeds have to meet. */
  readonly coverage: { readonly states: number; readonly floors: readonly Floor[] }
  readonly failures: readonly FailureView[]
}

/** One way in which seeds fail. */
export interface FailureView {
  readonly fingerprint: string
  readonly status: Extract<Verdict, 'fail' | 'inconclusive'>
  /** The lowest seed that shows it, and how many do. */
  readonly seed: number
  readonly seeds: number
  readonly message: string
  /** The step of the lowest seed's script; null when no single one is to blame. */
  readonly path: string | null
  /** The command that runs it again. */
  readonly replay: string
  /** The smallest case, a line for each step, or why there is none; null: not yet. */
  readonly shrunk: { readonly steps: readonly string[] } | { readonly problem: string } | null
}

/** What changed on a page, as its server sends it. */
export interface PageChange {
  /** Which page it belongs to. */
  readonly page: string
  /** The ids of all parts, from the first to the last. */
  readonly order: readonly string[]
  /** The markup of those that are new or changed. */
  readonly parts: Readonly<Record<string, string>>
}
