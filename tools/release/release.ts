/** The sources of a release, as text. */
export interface ReleaseSources {
  readonly tag: string
  readonly manifest: { readonly version: string; readonly repository?: unknown }
  readonly changelog: string
  readonly dockerfile: string
  /** The version whose public surface is in `tools/surface/released.json`. */
  readonly surfaceOf: string
}

const BASE_IMAGE = /^FROM +(\S+)/gm
const PINNED = /@sha256:[0-9a-f]{64}$/

/** Returns a line for each reason why a tag cannot be released. */
export function releaseProblems(sources: ReleaseSources): readonly string[] {
  const { tag, changelog, dockerfile, surfaceOf } = sources
  const { version, repository } = sources.manifest
  const unpinned = baseImages(dockerfile).filter((image) => !PINNED.test(image))
  return [
    ...(tag === `v${version}`
      ? []
      : [`the tag is ${tag}, and package.json has version ${version}; tag v${version}`]),
    ...(notesOf(changelog, version) === null
      ? [`CHANGELOG.md has no section "## ${version}"; move what is under "Unreleased" there`]
      : []),
    ...(repository === undefined
      ? ['package.json names no repository, which npm compares with the provenance; add `repository`']
      : []),
    ...(surfaceOf === version
      ? []
      : [`tools/surface/released.json is of ${surfaceOf}; run \`npm run surface\` and commit it`]),
    ...[...new Set(unpinned)].map(
      (image) => `Dockerfile: the base image ${image} has no digest; run \`npx tsx tools/release.ts pin\``,
    ),
  ]
}

/** Returns the section of a version of the changelog, without its heading; null: there is none. */
export function notesOf(changelog: string, version: string): string | null {
  const section = changelog.split(/^## /m).find((each) => each.split(/[\s(]/, 1)[0] === version)
  const text = section?.slice(section.indexOf('\n')).trim()
  return text ? `${text}\n` : null
}

/** Returns the base images of a Dockerfile, including repetitions. */
function baseImages(dockerfile: string): readonly string[] {
  return [...dockerfile.matchAll(BASE_IMAGE)].map(([, image = '']) => image)
}

/** Returns the Dockerfile with the digest of each base image. */
export function pinImages(dockerfile: string, digestOf: (image: string) => string): string {
  return dockerfile.replaceAll(BASE_IMAGE, (_, image: string) => {
    const [name = image] = image.split('@', 1)
    return `FROM ${name}@${digestOf(name)}`
  })
}
