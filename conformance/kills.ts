import type { Kills } from '../src/runner/proof/kills.ts'
import table from './kills.json' with { type: 'json' }

/** The defects that each case kills, as the last proof found them (`npm run kills`). A proof starts with these. */
export const KILLS: Kills = table
