import { atExit } from '../../host/atExit.ts'

/** What Ctrl-C, Ctrl-D, Enter send in a terminal that passes every key on. */
const END: ReadonlySet<string> = new Set(['q', 'Q', '\x03', '\x04'])
const AGAIN: ReadonlySet<string> = new Set(['\r', '\n'])

/**
 * Listens to the keys of a terminal; of anything else to nothing.
 *
 * @returns gives the terminal back.
 */
export function watchKeys(input: NodeJS.ReadStream, onKey: (key: 'again' | 'end') => void): () => void {
  if (!input.isTTY) return () => {}
  const listen = (chunk: Buffer) => {
    for (const key of chunk.toString('utf8')) {
      if (END.has(key)) onKey('end')
      else if (AGAIN.has(key)) onKey('again')
    }
  }
  input.setRawMode(true)
  input.on('data', listen)
  input.resume()
  const restore = () => {
    input.setRawMode(false)
  }
  const forget = atExit(restore)
  return () => {
    forget()
    input.off('data', listen)
    input.pause()
    restore()
  }
}
