import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Copy, DockerfileParser, type Env, type JSONInstruction } from 'dockerfile-ast'

/** The root of this checkout: the context of a build. */
export const CONTEXT = fileURLToPath(new URL('../../', import.meta.url))

/** One instruction of a stage that does something. Paths are those inside the image. */
export type ImageStep =
  | { readonly do: 'workdir'; readonly path: string }
  | {
      readonly do: 'copy'
      readonly from: string | null
      readonly sources: readonly string[]
      readonly to: string
    }
  | { readonly do: 'run'; readonly script: string }
  | { readonly do: 'env'; readonly values: Readonly<Record<string, string>> }

/** A stage of a build, from `FROM` to the next. */
export interface Stage {
  readonly base: string
  /** Null: the stage has no name. */
  readonly name: string | null
  readonly steps: readonly ImageStep[]
  readonly user: string | null
  readonly healthcheck: readonly string[]
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
}

/**
 * Returns the stages of the Dockerfile; the last one becomes the image.
 *
 * @throws {Error} it has an instruction that Plumbline's Dockerfile does not need
 */
export function readStages(text = readFileSync(join(CONTEXT, 'Dockerfile'), 'utf8')): readonly Stage[] {
  const stages: Stage[] = []
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const words = instruction.getArguments().map((argument) => argument.getValue())
    if (instruction.getKeyword() === 'FROM') {
      const [base = '', as, name = null] = words
      stages.push({ ...EMPTY, base, name: as?.toUpperCase() === 'AS' ? name : null })
      continue
    }
    const stage = stages.pop()
    if (stage === undefined) throw new Error(`${instruction.getKeyword()} stands before FROM`)
    const add = (step: ImageStep): Stage => ({ ...stage, steps: [...stage.steps, step] })
    switch (instruction.getKeyword()) {
      case 'WORKDIR':
        stages.push(add({ do: 'workdir', path: words[0] ?? '' }))
        break
      case 'COPY': {
        const from = (instruction as Copy).getFromFlag()?.getValue() ?? null
        stages.push(add({ do: 'copy', from, sources: words.slice(0, -1), to: words.at(-1) ?? '' }))
        break
      }
      case 'RUN':
        stages.push(
          add({ do: 'run', script: (instruction as JSONInstruction).getRawArgumentsContent() ?? '' }),
        )
        break
      case 'ENV': {
        const values = (instruction as Env)
          .getProperties()
          .map((each) => [each.getName(), each.getValue() ?? ''])
        stages.push(add({ do: 'env', values: Object.fromEntries(values) }))
        break
      }
      case 'USER':
        stages.push({ ...stage, user: words[0] ?? null })
        break
      case 'HEALTHCHECK':
        stages.push({ ...stage, healthcheck: asList(instruction.getRawArgumentsContent()) })
        break
      case 'ENTRYPOINT':
        stages.push({ ...stage, entrypoint: asList(instruction.getRawArgumentsContent()) })
        break
      case 'CMD':
        stages.push({ ...stage, command: asList(instruction.getRawArgumentsContent()) })
        break
      case 'EXPOSE':
        stages.push(stage)
        break
      default:
        throw new Error(
          `${instruction.getKeyword()} is not supported here; add it to tools/image/dockerfile.ts`,
        )
    }
  }
  return stages
}

const EMPTY = { steps: [], user: null, healthcheck: [], entrypoint: [], command: [] } as const

/** Returns the words of an instruction in its exec form: no shell stands between it and the program. */
function asList(content: string | null): readonly string[] {
  const [list = ''] = content?.match(/\[.*\]/s) ?? []
  return JSON.parse(list) as string[]
}

/** Returns the files and folders at the top of the checkout that a build sees, and those below them that it does not. */
export function readContext(): {
  readonly included: readonly string[]
  readonly excluded: readonly string[]
} {
  const lines = readFileSync(join(CONTEXT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const [first, ...rest] = lines
  if (first !== '*')
    throw new Error('.dockerignore must begin with *, so that a build sees only what it names')
  return {
    included: rest.filter((line) => line.startsWith('!')).map((line) => line.slice(1)),
    excluded: rest.filter((line) => !line.startsWith('!')),
  }
}
