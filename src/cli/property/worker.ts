import { defectOf } from '../../../conformance/defects/index.ts'
import { type Hand, type Part, type PartRun, worldHand } from '../../../property/suite.ts'
import type { WorkerAnswer } from '../forkedWorker.ts'
import type { HandChoice } from './workers.ts'

/** The program of a worker process: a world that judges the parts which its parent names, until that releases it. */
if (process.send === undefined) throw new Error('this program is started by `plumbline property --workers`')
const answer = process.send.bind(process)
let hand: Promise<Hand> | null = null

process.on('message', ({ choice, part }: { readonly choice: HandChoice; readonly part: Part }) => {
  hand ??= open(choice)
  void judged(hand, part).then(answer)
})
const leave = async () => (await hand?.catch(() => null))?.stop()
process.on('disconnect', leave)
// The parent may have gone while this program was still being read.
if (!process.connected) await leave()

async function judged(opening: Promise<Hand>, part: Part): Promise<WorkerAnswer<PartRun>> {
  try {
    return { result: await (await opening).run(part) }
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

function open({ seed, budget, only, defect, regressions }: HandChoice): Promise<Hand> {
  const planted = defect === null ? undefined : defectOf(defect)?.seams
  return worldHand({
    seed,
    budget,
    regressions,
    ...(only === null ? {} : { only: new Set(only) }),
    ...(planted === undefined ? {} : { seams: planted }),
  })
}
