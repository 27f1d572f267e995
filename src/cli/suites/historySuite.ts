/** The random scripts of `plumbline simulate` and the floors of runs, loaded without every other suite. */
export { floorsFor } from '../../../property/floors.ts'
export { historyFamily } from '../../../property/history/family.ts'
export { floorsForRuns } from '../../../property/history/states.ts'
