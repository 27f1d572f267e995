/** A target for `plumbline conform --start`: misbehaves in the way that its argument names, and towards its chain. */
import { abuseLine, HOSTILE_CALLS } from '../../../src/targets/testing/hostileCalls.ts'
import { type HostileMode, startHostileTarget } from '../../../src/targets/testing/hostileTarget.ts'

const { PORT, RPC_URL } = process.env
await startHostileTarget(() => process.argv[2] as HostileMode, Number(PORT))
if (RPC_URL !== undefined) for (const turn of Object.keys(HOSTILE_CALLS).keys()) abuseLine(RPC_URL, turn)
