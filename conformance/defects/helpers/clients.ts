import type { ClientSeams } from '../../../src/client/inProcessProgram.ts'
import type { Defect } from '../../../src/runner/proof/defect.ts'
import type { RequirementId } from '../../../src/spec/requirements/index.ts'

/** Known-broken clients of one kind: by id, the duty that they break, the mistake, and how the reference client is changed. */
export function brokenClients(
  rows: Readonly<Record<string, readonly [breaks: RequirementId, title: string, client: ClientSeams]>>,
): readonly Defect[] {
  return Object.entries(rows).map(([id, [breaks, title, client]]) => ({
    ...{ id, breaks, title, client },
    seams: {},
  }))
}
