/** The family of `plumbline simulate` alone: what simulates need not load every other suite. */
export { historyFamily } from '../../property/history/family.ts'
