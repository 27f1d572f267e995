import type { AnyFamily } from '../src/runner/families/family.ts'
import type { InProcessEnvironment } from '../src/targets/environment/inProcess.ts'
import { builds } from './build/family.ts'
import { histories } from './history/family.ts'
import { inputs } from './input/family.ts'
import { largeInterleavings, smallInterleavings } from './interleaving/family.ts'
import { memos } from './memo/family.ts'
import { quotes } from './quote/family.ts'
import { relations } from './relation/family.ts'

/** Every family, slow ones first, so that no worker ends long after the others. */
export const FAMILIES: readonly AnyFamily<InProcessEnvironment>[] = [
  builds,
  histories,
  relations,
  quotes,
  memos,
  inputs,
  smallInterleavings,
  largeInterleavings,
]
