import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { notesOf, pinImages, releaseProblems } from './release.ts'

const DIGEST = `sha256:${'0a'.repeat(32)}`
const DOCKERFILE = 'FROM node:22-slim AS build\nRUN true\nFROM node:22-slim\nCOPY --from=build / /\n'
const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n## 1.2.3 (2026-11-26)\n\n- One.\n\n### Fixed\n\n- Two.\n\n## 1.2.2\n\n- Old.\n'
const READY = {
  tag: 'v1.2.3',
  manifest: { version: '1.2.3', repository: 'github:somebody/plumbline' },
  changelog: CHANGELOG,
  dockerfile: pinImages(DOCKERFILE, () => DIGEST),
  surfaceOf: '1.2.3',
}

test('a release is ready with its tag, its section of the changelog, its repository and a pinned base image', () => {
  expect(releaseProblems(READY)).toEqual([])
})

test.each([
  ['another tag', { tag: 'v1.2.4' }, 'the tag is v1.2.4'],
  ['no section', { changelog: '## Unreleased\n\n- One.\n' }, 'no section "## 1.2.3"'],
  ['an empty section', { changelog: '## 1.2.3\n\n## 1.2.2\n' }, 'no section "## 1.2.3"'],
  ['no repository', { manifest: { version: '1.2.3' } }, 'names no repository'],
  ['the surface of another release', { surfaceOf: '1.2.2' }, 'released.json is of 1.2.2'],
  ['a base image without a digest', { dockerfile: DOCKERFILE }, 'node:22-slim has no digest'],
  ['a digest that is none', { dockerfile: pinImages(DOCKERFILE, () => 'sha256:latest') }, 'has no digest'],
])('%s is a problem', (_what, change, problem) => {
  const problems = releaseProblems({ ...READY, ...change })
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(problem)
})

test('the notes are the section of the version alone', () => {
  expect(notesOf(CHANGELOG, '1.2.3')).toBe('- One.\n\n### Fixed\n\n- Two.\n')
  expect(notesOf(CHANGELOG, '1.2')).toBeNull()
})

test('images are pinned again by their tags', () => {
  const pinned = pinImages(READY.dockerfile, (image) => `${DIGEST.slice(0, -2)}${image.length}`)
  expect(pinned.match(/^FROM .*$/gm)).toEqual([
    `FROM node:22-slim@${DIGEST.slice(0, -2)}12 AS build`,
    `FROM node:22-slim@${DIGEST.slice(0, -2)}12`,
  ])
})

test('the Dockerfile of this checkout has base images that can be pinned', () => {
  const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8')
  const pinned = pinImages(dockerfile, () => DIGEST)
  expect(releaseProblems({ ...READY, dockerfile: pinned })).toEqual([])
})
