import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { CONTEXT, type ImageStep, readContext, readStages, type Stage } from './dockerfile.ts'

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
      if (step.do === 'workdir') {
        directory = inside(root, directory, step.path)
        mkdirSync(directory, { recursive: true })
      } else if (step.do === 'env') Object.assign(env, step.values)
      else if (step.do === 'copy') copy(step, root, directory, roots)
      else run(step.script, directory, env)
      const what =
        step.do === 'run' ? `RUN ${step.script.replaceAll(/\s*\\\n\s*/g, ' ')}` : step.do.toUpperCase()
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
  { from, sources, to }: Extract<ImageStep, { do: 'copy' }>,
  root: string,
  directory: string,
  roots: ReadonlyMap<string, string>,
): void {
  const target = inside(root, directory, to)
  for (const source of sources) {
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
    if (
      !readFileSync(join(CONTEXT, 'package-lock.json')).equals(
        readFileSync(join(directory, 'package-lock.json')),
      )
    ) {
      throw new Error(`${dirname(directory)} has another lock file than the checkout`)
    }
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
