import type { VerifierMessage } from '../../reporting/report/selfCheck.ts'
import { PlumblineError } from '../../spec/errors.ts'
import { summarizeRecording } from '../verify/summarizeRecording.ts'

/** The part of the worker's global scope that this program uses. */
interface WorkerScope {
  addEventListener(type: 'message', listen: (event: { readonly data: string }) => void): void
  postMessage(message: VerifierMessage): void
}

const scope = globalThis as unknown as WorkerScope

// Recordings are verified one at a time.
let last = Promise.resolve()
scope.addEventListener('message', ({ data }) => {
  last = last.then(() => verify(data))
})

async function verify(text: string): Promise<void> {
  try {
    const { summary } = await summarizeRecording(text, {
      onPassed: (stage) => scope.postMessage({ kind: 'passed', stage }),
    })
    scope.postMessage({ kind: 'summary', summary })
  } catch (error) {
    const problem =
      error instanceof PlumblineError
        ? `${error.message}. ${error.advice}`
        : `This is a bug in Plumbline: ${error instanceof Error ? error.stack : error}`
    scope.postMessage({ kind: 'unread', problem })
  }
}
