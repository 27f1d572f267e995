import type { Defect } from '../defect.ts'
import { careless } from './chain.ts'
import { sharing } from './memo.ts'
import { forgetful } from './store.ts'

/** Broken services that answer rightly as long as nothing happens at the wrong moment: random simulation finds them. */
export const RACE_DEFECTS: readonly Defect[] = [...careless, ...forgetful, ...sharing]
