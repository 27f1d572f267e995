/** What `plumbline simulate` alone runs, and what many runs must have met: whoever needs them need not load every other suite. */
export { floorsFor } from '../../../property/floors.ts'
export { historyFamily } from '../../../property/history/family.ts'
export { floorsForRuns } from '../../../property/history/states.ts'
