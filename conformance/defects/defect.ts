import {
  type InjectedRequest,
  type InProcessService,
  type ServiceSeams,
  startInProcess,
} from '../../src/service/testing.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'

/**
 * A broken service with a name: the reference with one plausible mistake, made at its seams and never inside it. It
 * breaks one requirement, and a case of that requirement must say so.
 */
export interface Defect {
  /** Stable, dotted, named for the mistake; never a position. */
  readonly id: string
  /** The mistake, as one would write it in a bug report. */
  readonly title: string
  /** The one requirement that the mistake breaks. */
  readonly breaks: RequirementId
  readonly seams: ServiceSeams
  /** Which requests the broken service answers; all others are the reference's. Absent: it answers every request. */
  readonly meets?: Meets
  /** Something must happen inside the service at the wrong moment: no case can bring that about, a story can. */
  readonly shownBy?: 'story'
}

/** Whether a request reaches the mistake. */
export type Meets = (request: InjectedRequest) => boolean

/** A defect on one line. */
export function defect(id: string, breaks: RequirementId, title: string, seams: ServiceSeams): Defect {
  return { id, title, breaks, seams }
}

/** A defect that only certain requests can meet: whoever sends none of them has the reference before them. */
export function narrow(
  id: string,
  breaks: RequirementId,
  title: string,
  meets: Meets,
  seams: ServiceSeams,
): Defect {
  return { id: `narrow.${id}`, title, breaks, meets, seams: onlyFor(meets, seams) }
}

/** Two services over the same ports: the broken one answers what meets its mistake, the reference everything else. */
function onlyFor(meets: Meets, seams: ServiceSeams): ServiceSeams {
  return {
    wire: (reference, deps) => {
      let broken: Promise<InProcessService> | null = null
      return {
        inject: async (request) => {
          if (!meets(request)) return reference.inject(request)
          broken ??= startInProcess(deps, seams)
          return (await broken).inject(request)
        },
        close: async () => {
          await (await broken)?.close()
          await reference.close()
        },
      }
    },
  }
}
