import { hashSecret, type ServiceSeams } from '../../service/testing.ts'
import { runSteps } from '../../simulation/run/interpreter.ts'
import type { Run } from '../../simulation/run/runLog.ts'
import { ExpectationError, StepError } from '../../simulation/steps/stepErrors.ts'
import type { StepInput } from '../../simulation/steps/steps.ts'
import type { World } from '../../simulation/world/world.ts'
import type { Draft, DraftOf } from '../format/drafts.ts'
import type { RecordedKey, Recording } from '../format/schema.ts'
import { judgeRecording } from '../verify/judgeRecording.ts'
import { describePrograms, describeRun, type Provenance } from './environment.ts'
import { describeGenesis } from './genesis.ts'
import { tapSeams } from './insideTap.ts'
import { Recorder } from './recorder.ts'
import { reportDrafts } from './reportDrafts.ts'
import { explicit, sealWithout } from './sealed.ts'

/** A script to record. The seed decides the ids that the service gives out. */
export interface RecordedScript {
  readonly name: string
  readonly seed: number
  readonly steps: readonly StepInput[]
  /** The id of the known-broken service that the seams make; default: the service is the reference. */
  readonly defect?: string | undefined
}

/**
 * Resets the world with the script's seed, runs the script and records everything that happens, with the verdicts on it. The
 * same script and programs give the same bytes.
 *
 * @param seams replaces parts of the reference service. Default: the current replacements of the world.
 * @param programs the programs to record. Default: this version, on Anvil.
 * @throws {RecordingLeakError} a secret would be written.
 */
export async function recordScript(
  world: World,
  script: RecordedScript,
  seams?: ServiceSeams,
  programs: Provenance = describePrograms(),
): Promise<Recording> {
  const { entries, blobs, run, secrets } = await recordRun(world, script, seams)
  return sealWithout(secrets, [...entries, ...judgeRecording(entries, run), programs], blobs)
}

/**
 * Resets the world with the script's seed, runs the script and records what happens. An unexpected answer, or a step that
 * cannot be executed, ends the run and becomes its outcome.
 *
 * @param seams replaces parts of the reference service. Default: the current replacements of the world.
 * @returns the entries without verdicts, the run as without a recorder, and every secret that a request carried.
 */
export async function recordRun(world: World, script: RecordedScript, seams?: ServiceSeams) {
  const { rpc, base } = world.sandbox
  const start = { number: Number(base.number), hash: base.hash, timestampS: base.timestampS }
  const recorder = new Recorder({ nowMs: () => world.serviceClock.nowMs(), chain: { rpc, start } })
  const taps = tapSeams(recorder)
  world.watch({ seams: taps.seams, command: recorder.command.bind(recorder) })
  try {
    await world.reset(script.seed, seams)
    const opening: Draft[] = [
      await describeRun(world, script.defect),
      await describeGenesis(world),
      { kind: 'script', name: script.name, seed: script.seed, steps: script.steps.map(explicit) },
    ]
    const { run, error } = await runWatched(world, script.steps, recorder)
    recorder.close()
    const faults = new Map(world.line.roundTrips.map(({ calls, fault }) => [calls, fault]))
    for (const { entry, calls } of taps.trips) entry.fault = faults.get(calls) ?? null
    recorder.nameKeys(await keyNames(world))
    return {
      entries: [...opening, ...recorder.entries, ...reportDrafts(run.reports), outcomeOf(run, error)],
      blobs: recorder.blobs.all(),
      run,
      secrets: recorder.secrets,
    }
  } finally {
    recorder.close()
    taps.end()
    world.watch(null)
  }
}

async function runWatched(
  world: World,
  steps: readonly StepInput[],
  recorder: Recorder,
): Promise<{ readonly run: Run; readonly error: ExpectationError | StepError | null }> {
  let left: Run = {
    log: [],
    contexts: [],
    builds: new Map(),
    reports: [],
    totals: [],
    unmetFaults: 0,
    struck: {},
  }
  const watch = {
    begin: (path: string) => recorder.begin(path),
    end: recorder.end.bind(recorder),
    done: (run: Run) => {
      left = run
    },
  }
  try {
    return { run: await runSteps(world, steps, watch), error: null }
  } catch (error) {
    if (error instanceof ExpectationError || error instanceof StepError) return { run: left, error }
    throw error
  }
}

function outcomeOf(run: Run, error: ExpectationError | StepError | null): DraftOf<'outcome'> {
  const { unmetFaults } = run
  if (error === null)
    return { kind: 'outcome', ended: 'as-expected', path: null, expected: null, actual: null, unmetFaults }
  const { path } = error
  if (!(error instanceof ExpectationError))
    return { kind: 'outcome', ended: 'not-run', path, expected: null, actual: error.message, unmetFaults }
  const { expected, actual } = error
  return { kind: 'outcome', ended: 'unexpected', path, expected, actual, unmetFaults }
}

/** Returns a function that finds the key of a secret. Ends the faults of the store first, as the run is over. */
async function keyNames({ store }: World): Promise<(secret: string) => RecordedKey | null> {
  store.hooks = {}
  const keys = new Map(
    (await store.listKeys()).map(({ secretSha256, keyId: id, kind }) => [secretSha256, { id, kind }]),
  )
  return (secret) => keys.get(hashSecret(secret)) ?? null
}
