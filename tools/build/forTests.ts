import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

const BUILD = fileURLToPath(new URL('../build.mjs', import.meta.url))

/** Brings the build up to date before tests start processes of it. */
export default async function setup(project: TestProject): Promise<void> {
  const build = async (): Promise<void> => {
    execFileSync(process.execPath, [BUILD, '--if-stale'], { stdio: 'inherit' })
  }
  await build()
  project.onTestsRerun(build)
}
