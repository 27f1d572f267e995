import type { Defect } from '../../src/runner/proof/defect.ts'
import { raceDefects } from '../defects/confirmRaces.ts'
import { memoDefects } from '../defects/memo.ts'

export { rareDefects } from './defects.ts'

/** The broken services that random scripts are known to find: right unless something happens at the wrong moment. */
export const plantedDefects: readonly Defect[] = [
  ...raceDefects,
  ...memoDefects.filter(({ id }) => id === 'narrow.quote.memo-without.sender-or-none'),
]
