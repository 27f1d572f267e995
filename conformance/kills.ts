import type { Kills } from '../src/runner/proof/kills.ts'
import table from './kills.json' with { type: 'json' }

/** Which case kills which defect, as the last proof found it (`npm run kills`). A proof begins with these. */
export const KILLS: Kills = table
