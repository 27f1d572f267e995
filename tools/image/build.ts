import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { CONTEXT, readContext, readStages, type Stage, type Step } from './dockerfile.ts'

/** Describes what an image is, in a folder instead of a file system of its own. */
export interface BuiltImage {
  readonly stage: Stage
  /** What is `/` in the image. */
  readonly root: string
  /** The working directory, below `root`. */
  readonly directory: string
  readonly env: Readonly<Record<string, string>>
}

/** The installation of a build stage, which the checkout has done already, with the same lock file. */
const INSTALLED = /^npm ci(?!.*--omit=dev)/

/**
 * Executes the Dockerfile without Docker: each stage in a fresh folder in place of its `/`, with the Node of this machine
 * in place of the base image. Prints each step with its time. An installation with the tools of development is not repeated:
 * the stage gets this checkout's.
 *
 * @param folder an empty folder
 * @param nowMs the time in milliseconds
 * @throws {Error} a step failed, or copies what does not exist
 */
export function buildImage(folder: string, nowMs: () => number): BuiltImage {
  const roots = new Map<string, string>()
  let last: BuiltImage | undefined
  for (const [index, stage] of readStages().entries()) {
    const root = join(folder, stage.name ?? `stage-${index}`)
    // The base image has this home of the user `node`.
    mkdirSync(join(root, 'home/node'), { recursive: true })
    let directory = root
    const env: Record<string, string> = {}
    for (const step of stage.steps) {
      const startedMs = nowMs()
      const { keyword, words, text } = step
      if (keyword === 'WORKDIR') {
        directory = inside(root, directory, words[0] ?? '')
        mkdirSync(directory, { recursive: true })
      } else if (keyword === 'ENV')
        Object.assign(env, Object.fromEntries(words.map((word) => word.split(/=(.*)/s))))
      else if (keyword === 'COPY') copy(step, root, directory, roots)
      else if (keyword === 'RUN') run(text, directory, env)
      const what = `${keyword} ${text.replaceAll(/\s*\\\n\s*/g, ' ')}`
      console.log(`${stage.name ?? 'image'}: ${what} (${((nowMs() - startedMs) / 1_000).toFixed(1)} s)`)
    }
    if (stage.name !== null) roots.set(stage.name, root)
    last = { stage, root, directory, env }
  }
  if (last === undefined) throw new Error('the Dockerfile has no stage')
  return last
}

/** Returns the words of a command of the image, with its paths where the folder has them. */
export function commandIn({ root }: BuiltImage, words: readonly string[]): readonly string[] {
  return words.map((word) => (existsSync(join(root, word)) && word.startsWith('/') ? join(root, word) : word))
}

function inside(root: string, directory: string, path: string): string {
  return path.startsWith('/') ? join(root, path) : resolve(directory, path)
}

function copy(
  { from, words }: Step,
  root: string,
  directory: string,
  roots: ReadonlyMap<string, string>,
): void {
  const target = inside(root, directory, words.at(-1) ?? '')
  for (const source of words.slice(0, -1)) {
    if (from !== null) {
      const stage = roots.get(from)
      if (stage === undefined) throw new Error(`COPY --from=${from}: there is no such stage before`)
      cpSync(join(stage, source), target, { recursive: true })
      continue
    }
    const { included, excluded } = readContext()
    const filter = (path: string) => !excluded.some((each) => path === join(CONTEXT, each))
    if (source !== '.' && !included.includes(source)) throw new Error(`COPY ${source}: not in the context`)
    for (const path of source === '.' ? included : [source]) {
      cpSync(join(CONTEXT, path), join(target, path), { recursive: true, filter })
    }
  }
}

function run(script: string, directory: string, env: Readonly<Record<string, string>>): void {
  if (INSTALLED.test(script)) {
    const [own = '', copied] = [CONTEXT, directory].map((folder) =>
      readFileSync(join(folder, 'package-lock.json'), 'utf8'),
    )
    if (own !== copied) throw new Error(`${dirname(directory)} has another lock file than the checkout`)
    symlinkSync(join(CONTEXT, 'node_modules'), join(directory, 'node_modules'))
    return
  }
  // As Docker does: /bin/sh.
  const done = spawnSync('/bin/sh', ['-c', script], {
    cwd: directory,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  if (done.status !== 0)
    throw new Error(`RUN ${script}: exit code ${done.status}\n${done.stdout}${done.stderr}`)
}
