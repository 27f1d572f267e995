/** The process that measures one peer: a round for each task. It runs in the Node that the peers need. */
import { serveWorker } from '../../src/runner/pool/workers.ts'
import { PEERS } from './peers.ts'
import { type Round, runRound, type Work } from './round.ts'

/** The peer, and its work. */
export interface PeerJob {
  readonly index: number
  readonly work: Work
}

await serveWorker<PeerJob, null, Round>(async ({ index, work }) => {
  const peer = PEERS[index]
  if (peer === undefined) throw new Error(`there is no peer ${index}`)
  const isolation = await peer.open(work)
  return {
    run: () => runRound(isolation, work),
    stop: async () => {
      await isolation.close()
      // Processes and timers that a library leaves behind must not keep this process running.
      process.exit()
    },
  }
})
