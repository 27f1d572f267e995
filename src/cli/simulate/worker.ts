import type { RandomRunProblem, ScriptRun } from '../../runner/randomRun.ts'
import type { ShrunkScript } from '../../runner/shrink.ts'
import { createWorld } from '../../simulation/world.ts'
import type { WorkerAnswer } from '../forkedWorker.ts'
import { type Script, simulatorIn } from './simulator.ts'

/** What a worker is asked for, one at a time. */
type WorkerTask =
  | { readonly kind: 'run'; readonly script: Script }
  | { readonly kind: 'shrink'; readonly script: Script; readonly problem: RandomRunProblem }

/** The program of a worker process: a world that carries out what its parent sends, until that releases it. */
if (process.send === undefined) throw new Error('this program is started by `plumbline simulate --workers`')
const answer = process.send.bind(process)
const opening = createWorld({ seed: 1 }).then(simulatorIn)

process.on('message', (task: WorkerTask) => {
  void carryOut(task).then(answer)
})
const leave = () => opening.then((simulator) => simulator.stop())
process.on('disconnect', leave)
// An Anvil that does not start is told to whoever asks first.
opening.catch(() => {})
// The parent may have gone while this program was still being read.
if (!process.connected) await leave()

async function carryOut(task: WorkerTask): Promise<WorkerAnswer<ScriptRun | ShrunkScript>> {
  try {
    const simulator = await opening
    const { script } = task
    return {
      result: await (task.kind === 'run' ? simulator.run(script) : simulator.shrink(script, task.problem)),
    }
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
