/** The version of the kill matrix's format. */
export const PROOF_SCHEMA = 'plumbline-proof/2'

interface Alarm {
  readonly case: string
  readonly requirements: readonly string[]
  readonly message: string
}

interface InCase {
  readonly case: string
  readonly requirement: string
}

interface DefectRow {
  readonly id: string
  readonly title: string
  /** The first case that failed for the requirement; null: the defect survived. */
  readonly killedBy: Alarm | null
  readonly alsoKilledBy: readonly string[]
  /** Failures for other requirements. */
  readonly collateral: readonly Alarm[]
  readonly inconclusive: readonly { readonly case: string; readonly why: string }[]
  readonly casesRun: number
}

interface VariantRow {
  readonly id: string
  readonly title: string
  readonly differsIn: readonly string[]
  readonly casesRun: number
  /** True if a response differed from the reference's, or need not. */
  readonly seen: boolean
  readonly differences: readonly InCase[]
  readonly objections: readonly {
    readonly case: string
    readonly status: 'fail' | 'inconclusive'
    readonly requirement: string | null
    readonly message: string
  }[]
}

/** The kill matrix as the file that `plumbline prove` writes. */
export interface Proof {
  readonly schema: typeof PROOF_SCHEMA
  readonly seed: number
  readonly requirements: readonly {
    readonly id: string
    readonly section: string
    readonly proven: boolean
    readonly defects: readonly DefectRow[]
  }[]
  readonly unproven: readonly string[]
  readonly survivors: readonly string[]
  /** Defects that are killed, by a case that names a clause first which does not explain them. */
  readonly misnamed: readonly (InCase & { readonly defect: string; readonly named: string })[]
  /** Cases that killed a defect and do not pass on the reference. */
  readonly unsound: readonly { readonly case: string; readonly message: string }[]
  /** By case, the defects that it alone kills. */
  readonly alone: Readonly<Record<string, readonly string[]>>
  /** Cases that could be left out, with those that cover the same; empty where only a part was run. */
  readonly dispensable: readonly { readonly case: string; readonly coveredBy: readonly string[] }[]
  /** Cases that no defect makes fail. */
  readonly idle: readonly string[]
  /** What only the cases request that were left out. */
  readonly unasked: readonly (InCase & { readonly request: string })[]
  /** Each property with the defects that it is expected to kill, and those that it killed. */
  readonly properties: readonly {
    readonly id: string
    readonly expected: readonly string[]
    readonly kills: readonly string[]
  }[]
  /** Open points under which no case recorded a difference. */
  readonly unobserved: readonly string[]
  /** Cases that only record, and recorded the same for every service. */
  readonly blind: readonly string[]
  readonly variants: readonly VariantRow[]
  /** Drawn defects: the case that failed first, with the requirement; and in how many cases the fault shows. */
  readonly drawn: readonly {
    readonly id: string
    readonly title: string
    readonly breaks: string
    readonly killedBy: InCase | null
    readonly shownIn: number
  }[]
}
