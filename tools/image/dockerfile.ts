import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Copy, DockerfileParser, type From } from 'dockerfile-ast'

/** The root of this checkout: the context of a build. */
export const CONTEXT = fileURLToPath(new URL('../../', import.meta.url))

/** One instruction of a stage. Paths are those inside the image. */
export interface Step {
  readonly keyword: string
  readonly words: readonly string[]
  /** What the instruction has after its keyword, as it is written. */
  readonly text: string
  /** The stage that a COPY takes its files from; null: the context. */
  readonly from: string | null
}

/** A stage of a build, from `FROM` to the next. */
export interface Stage {
  readonly base: string
  /** Null: the stage has no name. */
  readonly name: string | null
  readonly steps: readonly Step[]
}

const SUPPORTED: ReadonlySet<string> = new Set([
  ...['WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'EXPOSE', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD'],
])

/**
 * Returns the stages of the Dockerfile; the last one becomes the image.
 *
 * @throws {Error} it has an instruction that Plumbline's Dockerfile does not need
 */
export function readStages(text = readFileSync(join(CONTEXT, 'Dockerfile'), 'utf8')): readonly Stage[] {
  const stages: (Stage & { readonly steps: Step[] })[] = []
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const keyword = instruction.getKeyword()
    if (keyword === 'FROM') {
      const begun = instruction as From
      stages.push({ base: begun.getImage() ?? '', name: begun.getBuildStage(), steps: [] })
      continue
    }
    if (!SUPPORTED.has(keyword))
      throw new Error(`${keyword} is not supported here; add it to tools/image/dockerfile.ts`)
    stages.at(-1)?.steps.push({
      keyword,
      words: instruction.getArguments().map((argument) => argument.getValue()),
      text: instruction.getRawArgumentsContent() ?? '',
      from: keyword === 'COPY' ? ((instruction as Copy).getFromFlag()?.getValue() ?? null) : null,
    })
  }
  return stages
}

/** Returns the words of a command of a stage in its exec form: no shell stands between it and the program. */
export function commandOf(
  { steps }: Stage,
  keyword: 'HEALTHCHECK' | 'ENTRYPOINT' | 'CMD',
): readonly string[] {
  const text = steps.findLast((step) => step.keyword === keyword)?.text ?? ''
  return JSON.parse(text.match(/\[.*\]/s)?.[0] ?? '[]') as string[]
}

/** Returns the files and folders at the top of the checkout that a build sees, and those below them that it does not. */
export function readContext(): {
  readonly included: readonly string[]
  readonly excluded: readonly string[]
} {
  const [first, ...rest] = readFileSync(join(CONTEXT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  if (first !== '*')
    throw new Error('.dockerignore must begin with *, so that a build sees only what it names')
  return {
    included: rest.filter((line) => line.startsWith('!')).map((line) => line.slice(1)),
    excluded: rest.filter((line) => !line.startsWith('!')),
  }
}
