import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = toPath(new URL('../../..', import.meta.url).href)
/** Folder of this module: of its source, or of the build, whose files contain many modules each. */
const FOLDER = dirname(toPath(import.meta.filename))
/** The line with which a bundle begins a module. */
const BEGINS = /^\/\/ ((?:src|conformance|property|scenarios|\S*node_modules)\/\S+)$/

/** A module in a bundled file, and the line on which it begins. */
interface Part {
  readonly line: number
  readonly module: string
}

/** Files that have appeared in stacks, by their names there. */
const files = new Map<string, { readonly path: string; readonly parts: readonly Part[] }>()

/** Returns the module of a line of a running file; its path is relative to the checkout or package that contains it. */
export function moduleAt(file: string, line: number): string {
  let known = files.get(file)
  if (known === undefined) {
    const path = toPath(file)
    known = {
      path: path.startsWith(ROOT) ? path.slice(ROOT.length) : path,
      parts: dirname(path) === FOLDER ? partsOf(path) : [],
    }
    files.set(file, known)
  }
  const { path, parts } = known
  let [low, high] = [0, parts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((parts[middle] as Part).line <= line) low = middle + 1
    else high = middle
  }
  return parts[low - 1]?.module ?? path
}

function partsOf(path: string): readonly Part[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.flatMap((text, index) => {
    const module = BEGINS.exec(text)?.[1]
    return module === undefined ? [] : [{ line: index + 1, module }]
  })
}

function toPath(file: string): string {
  return (file.startsWith('file:') ? fileURLToPath(file) : file).replaceAll('\\', '/')
}
