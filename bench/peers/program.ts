/** The process in which one peer is measured: a round for each task. It runs in the Node that the peers need. */
import { serveWorker } from '../../src/runner/pool/workers.ts'
import { PEERS } from './peers.ts'
import { type Round, runRound, type Work } from './round.ts'

/** Describes which peer, and what it does. */
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
      // What a library leaves running must not keep the process.
      process.exit()
    },
  }
})
