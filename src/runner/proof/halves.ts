import type { Proof } from '../../reporting/proof.ts'
import type { ProofRequest } from './prove.ts'

/** A proof in two parts, which take about as long as each other and can run at the same time. */
interface Halves {
  /** The cases and scenarios against the defects, and what a run of chosen parts adds. */
  readonly first: ProofRequest
  /** The variants and the properties. */
  readonly second: ProofRequest
}

/** The halves of a whole proof; null where it is not whole, and so small or chosen for a single part. */
export function halvesOf(request: ProofRequest): Halves | null {
  const { defects, variants, properties, isWhole } = request
  if (!isWhole || variants.length === 0 || properties === null) return null
  return {
    first: {
      ...request,
      defects: defects.filter(({ shownBy }) => shownBy !== 'properties'),
      variants: [],
      properties: null,
    },
    second: {
      ...request,
      defects: defects.filter(({ shownBy }) => shownBy === 'properties'),
      requirements: [],
      drawn: [],
    },
  }
}

/** The proof that two halves come to. */
export function mergeProofs(first: Proof, second: Proof): Proof {
  return {
    ...first,
    survivors: [...first.survivors, ...second.survivors],
    properties: second.properties,
    unobserved: second.unobserved,
    blind: second.blind,
    variants: second.variants,
  }
}
