import {
  drawnFacts,
  explainRecording,
  RECORDING_HEADLINES,
  type RecordingSummary,
} from '../../report/recordingSummary.ts'
import {
  type SelfCheck,
  VERIFY_STAGES,
  type VerifierMessage,
  type VerifyStage,
} from '../../report/selfCheck.ts'
import { classOf } from '../parts/marks.ts'

const STAGES = Object.keys(VERIFY_STAGES) as VerifyStage[]

/**
 * Verifies every recording that the page holds, one after another, in a worker, so that the page stays usable. A file that the
 * reader chooses is verified next.
 */
export function startSelfCheck(check: SelfCheck | undefined): void {
  if (check === undefined) return
  const lists = [...document.querySelectorAll<HTMLElement>('[data-self-check]')]
  const queue: (readonly [list: HTMLElement, text: string])[] = lists.flatMap((list) => {
    const text = check.recordings[Number(list.dataset.selfCheck)]
    return text === undefined ? [] : [[list, text] as const]
  })
  for (const [list] of queue) say(list, '', 'Verified after those before it.')
  const verifier = startVerifier(check.verifier)
  let busy: HTMLElement | null = null
  const next = async () => {
    const [first] = queue.splice(0, 1)
    busy = first?.[0] ?? null
    if (first === undefined) return
    const [list, text] = first
    begin(list)
    try {
      ;(await verifier).postMessage(text)
    } catch (error) {
      end(
        list,
        'is-inconclusive',
        `This browser cannot run the verifier: ${error}. Use \`plumbline verify\`.`,
      )
    }
  }
  void verifier.then((worker) => {
    worker.addEventListener('message', ({ data }: MessageEvent<VerifierMessage>) => {
      if (busy !== null && show(busy, data)) void next()
    })
    worker.addEventListener('error', (event) => {
      if (busy !== null) end(busy, 'is-inconclusive', `The verifier failed: ${event.message}`)
      void next()
    })
  })
  startOwnFile((list, text) => {
    queue.push([list, text])
    if (busy === null) void next()
  })
  void next()
}

/** @throws any error of a browser without compression streams, or without workers for pages on disk. */
async function startVerifier(verifier: string): Promise<Worker> {
  const bytes = Uint8Array.from(atob(verifier), (character) => character.charCodeAt(0))
  const program = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))
  const url = URL.createObjectURL(new Blob([await new Response(program).text()], { type: 'text/javascript' }))
  return new Worker(url)
}

function startOwnFile(verify: (list: HTMLElement, text: string) => void): void {
  const input = document.querySelector<HTMLInputElement>('[data-own-file] input')
  const list = document.querySelector<HTMLElement>('[data-own-file] [data-stages]')
  input?.addEventListener('change', async () => {
    const [file] = input.files ?? []
    if (file === undefined || list === null) return
    list.hidden = false
    delete list.dataset.ended
    verify(list, await file.text())
  })
}

function begin(list: HTMLElement): void {
  for (const stage of STAGES) mark(list, stage, 'waits')
  const [first] = STAGES
  if (first !== undefined) mark(list, first, 'runs')
  say(list, '', 'Verifying …')
  delete list.dataset.ended
}

/** @returns true if that was the last message about this recording. */
function show(list: HTMLElement, message: VerifierMessage): boolean {
  if (message.kind === 'passed') {
    mark(list, message.stage, 'passed')
    const following = STAGES[STAGES.indexOf(message.stage) + 1]
    if (following !== undefined) mark(list, following, 'runs')
    return false
  }
  // The running stage is the one that did not pass.
  for (const stage of STAGES) if (stateOf(list, stage) === 'runs') mark(list, stage, 'failed')
  if (message.kind === 'unread') end(list, 'is-fail', message.problem)
  else endWith(list, message.summary)
  return true
}

function endWith(list: HTMLElement, summary: RecordingSummary): void {
  const { written } = list.dataset
  const others = written === undefined ? [] : factsDrawnOtherwise(list, summary)
  const isDisputed = written !== undefined && (written !== summary.verdict || others.length > 0)
  if (isDisputed) document.querySelector('[data-disputed]')?.removeAttribute('hidden')
  const disputed =
    others.length > 0
      ? ` The page draws something else: ${others.join(', ')}.`
      : isDisputed
        ? ' The page was written with another verdict.'
        : ''
  const words = `${RECORDING_HEADLINES[summary.verdict]}. ${explainRecording(summary)}${disputed} Root ${summary.root}.`
  end(list, isDisputed ? 'is-fail' : classOf(summary.verdict), words)
}

/** Returns the names of the facts that the page shows differently from the recording. */
function factsDrawnOtherwise(list: HTMLElement, summary: RecordingSummary): readonly string[] {
  const drawn = list.closest('.recording')
  return Object.entries(drawnFacts(summary)).flatMap(([name, computed]) => {
    const text = drawn?.querySelector(`[data-drawn="${name}"]`)?.textContent ?? ''
    return text === computed ? [] : [name]
  })
}

function end(list: HTMLElement, tone: string, words: string): void {
  say(list, tone, words)
  list.dataset.ended = 'true'
}

type State = 'waits' | 'runs' | 'passed' | 'failed'
const SIGNS: Readonly<Record<State, string>> = { waits: '○', runs: '…', passed: '✓', failed: '✕' }
const WORDS: Readonly<Record<State, string>> = {
  waits: 'not verified',
  runs: 'under way',
  passed: 'holds',
  failed: 'does not hold',
}

function mark(list: HTMLElement, stage: VerifyStage, state: State): void {
  const line = list.querySelector<HTMLElement>(`[data-stage="${stage}"]`)
  const sign = line?.querySelector('.sign')
  const word = line?.querySelector('.sr')
  if (!line || !sign || !word) return
  line.dataset.state = state
  sign.textContent = SIGNS[state]
  word.textContent = `${WORDS[state]}: `
}

function stateOf(list: HTMLElement, stage: VerifyStage): string | undefined {
  return list.querySelector<HTMLElement>(`[data-stage="${stage}"]`)?.dataset.state
}

function say(list: HTMLElement, tone: string, words: string): void {
  const place = list.querySelector('[role=status]')
  if (place === null) return
  place.className = tone
  place.textContent = words
}
