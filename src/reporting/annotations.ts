import type { CaseRow } from './results.ts'

/** Unexcused failures as workflow commands, which GitHub shows as annotations on a commit. */
export function toAnnotations(results: readonly CaseRow[]): readonly string[] {
  return results.flatMap(({ id, status, notes, failure }) => {
    if (failure === null) {
      // A case that never ran has no failure, but is not a pass either.
      const why = notes[0] ?? 'nothing was exercised'
      return status === 'inconclusive' ? [`::warning title=${property(id)}::${data(why)}`] : []
    }
    const level = status === 'fail' ? 'error' : 'warning'
    const title = failure.requirement === null ? id : `${id} violates ${failure.requirement}`
    return [`::${level} title=${property(title)}::${data(`${failure.message}\n${failure.replay}`)}`]
  })
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
