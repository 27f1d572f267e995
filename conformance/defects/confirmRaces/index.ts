import type { Defect } from '../../../src/runner/proof/defect.ts'
import { careless } from './chain.ts'
import { sharing } from './memo.ts'
import { forgetful } from './store.ts'

/** Services that are right unless something happens at the wrong moment: random simulation finds them. */
export const RACE_DEFECTS: readonly Defect[] = [...careless, ...forgetful, ...sharing]
