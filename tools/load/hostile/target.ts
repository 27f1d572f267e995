/** A target for `plumbline conform --start` that misbehaves in the way its argument names, and towards its chain. */
import { HOSTILE_ANSWERS } from '../../../src/targets/testing/hostileAnswers.ts'
import { abuseLine, HOSTILE_CALLS } from '../../../src/targets/testing/hostileCalls.ts'
import { HOSTILE_PROCESSES } from '../../../src/targets/testing/hostileProcesses.ts'
import { type HostileMode, startHostileTarget } from '../../../src/targets/testing/hostileTarget.ts'

const { PORT, RPC_URL, PLUMBLINE_DIR = '' } = process.env
const [, , mode = ''] = process.argv
const answers = mode in HOSTILE_ANSWERS ? (mode as HostileMode) : 'body-null'
await startHostileTarget(() => answers, Number(PORT))
if (RPC_URL !== undefined) for (const turn of Object.keys(HOSTILE_CALLS).keys()) abuseLine(RPC_URL, turn)
const behaviours: Readonly<Record<string, (directory: string) => void>> = HOSTILE_PROCESSES
behaviours[mode]?.(PLUMBLINE_DIR)
