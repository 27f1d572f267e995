import { existsSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { watch } from 'chokidar'

/** Folders of tools, next to sources. */
const NOT_SOURCES: ReadonlySet<string> = new Set(['node_modules', '.git', '__pycache__'])
/** Temporary files of editors and interpreters. */
const ASIDE = /~$|^\.#|^#.*#$|\.sw[a-z]$|^4913$|\.tmp$|\.pyc$/

/**
 * Returns the folder of the program that a shell command starts: that of its first word which is a file in the current folder, or
 * below it; otherwise of its first argument that is a file; otherwise the current folder.
 */
export function folderOf(command: string): string {
  const words = (command.match(/"[^"]*"|'[^']*'|[^\s"';&|]+/g) ?? []).map((word) =>
    word.replaceAll(/^["']|["']$/g, ''),
  )
  const existing = words.filter((word) => existsSync(word))
  const program = existing.find((word) => isWithin(word, '.')) ?? existing.find((word) => word !== words[0])
  if (program === undefined) return '.'
  return statSync(program).isDirectory() ? program : dirname(program)
}

/**
 * Returns whether changes of a file are ignored: installed packages, the repository, results, and temporary files of editors and
 * interpreters.
 *
 * @param out the folder of the results.
 */
export function isIgnored(path: string, out: string): boolean {
  // Outside the current folder, the parent folders of a watched path may have any names.
  const names = isWithin(path, '.') ? relative('.', path).split(sep) : [basename(path)]
  return names.some((name) => NOT_SOURCES.has(name)) || ASIDE.test(basename(path)) || isWithin(path, out)
}

/** Returns whether a path is the folder or lies in it. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(resolve(folder), resolve(path))
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`))
}

/**
 * Watches files and folders with everything below them.
 *
 * @param onChange called with the path of what was added, changed or removed, relative to the current folder.
 * @param onProblem called with the reason why a part cannot be watched.
 * @returns a function that ends the watch, once everything is watched.
 */
export async function watchFiles(
  paths: readonly string[],
  out: string,
  onChange: (path: string, isNew: boolean) => void,
  onProblem: (problem: string) => void,
): Promise<() => Promise<void>> {
  // `Triggers` handles the way in which editors replace a file.
  const options = { ignoreInitial: true, atomic: false, ignored: (path: string) => isIgnored(path, out) }
  const watcher = watch([...paths], options)
  watcher.on('error', (error) => onProblem(error instanceof Error ? error.message : String(error)))
  await new Promise<void>((ready) => {
    watcher.once('ready', ready)
  })
  watcher.on('all', (event, path) => onChange(relative('.', path), event === 'add'))
  return () => watcher.close()
}
