/**
 * `check TAG`: prints the reasons why a tag cannot be released. `notes TAG`: prints its section of the changelog. `pin`: puts
 * the current digests of the base images into the Dockerfile, as given by Docker's registry.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { notesOf, pinImages, releaseProblems } from './release/release.ts'

const DOCKERFILE = new URL('../Dockerfile', import.meta.url)
const read = (name: string | URL) => readFileSync(new URL(name, new URL('../', import.meta.url)), 'utf8')
const [, , command, tag = ''] = process.argv
const problems = run()
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1

function run(): readonly string[] {
  const changelog = read('CHANGELOG.md')
  const dockerfile = read(DOCKERFILE)
  switch (command) {
    case 'check':
      return releaseProblems({
        ...{ tag, manifest: JSON.parse(read('package.json')), changelog, dockerfile },
        surfaceOf: JSON.parse(read('tools/surface/released.json')).version,
      })
    case 'notes': {
      const notes = notesOf(changelog, tag.replace(/^v/, ''))
      if (notes === null) return [`CHANGELOG.md has no section of ${tag}`]
      process.stdout.write(notes)
      return []
    }
    case 'pin':
      writeFileSync(DOCKERFILE, pinImages(dockerfile, digestOf))
      return []
    default:
      return ['usage: npx tsx tools/release.ts check TAG | notes TAG | pin']
  }
}

function digestOf(image: string): string {
  const words = ['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}']
  return execFileSync('docker', words, { encoding: 'utf8' }).trim()
}
