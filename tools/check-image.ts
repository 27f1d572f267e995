/**
 * Executes the Dockerfile without Docker and uses the result as a user would: `--help`, some cases against the reference,
 * and `serve` until its health check passes. As root it runs them as another user, like the image does.
 */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atExit } from '../src/host/atExit.ts'
import { freePort } from '../src/host/freePort.ts'
import { realTime } from '../src/targets/realTime.ts'
import { buildImage, commandIn } from './image/build.ts'
import { commandOf } from './image/dockerfile.ts'
import { startProcess } from './runningProcess.ts'

/** The user `node` of the base image. */
const NODE_USER = 1_000

const folder = mkdtempSync(join(tmpdir(), 'plumbline-image-'))
const remove = () => rmSync(folder, { recursive: true, force: true })
const forget = atExit(remove)
const problems: string[] = []
try {
  chmodSync(folder, 0o755)
  const image = buildImage(folder, realTime.nowMs)
  const { stage, root, directory } = image
  console.log(`the image adds ${(sizeOf(root) / 1_000_000).toFixed(0)} MB to ${stage.base}`)
  if (existsSync(join(root, 'opt/plumbline/src/cli'))) problems.push('the image holds sources')
  const temporary = join(root, 'tmp')
  mkdirSync(temporary)
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? { uid: NODE_USER, gid: NODE_USER } : {}
  if (isRoot) for (const path of [directory, temporary]) chownSync(path, NODE_USER, NODE_USER)
  const env = {
    PATH: process.env.PATH,
    ...image.env,
    HOME: directory,
    TMPDIR: temporary,
    PORT: `${await freePort()}`,
  }

  const entry = commandIn(image, commandOf(stage, 'ENTRYPOINT'))
  const use = (words: readonly string[], pattern: RegExp): void => {
    const [file = '', ...args] = [...entry, ...words]
    const startedMs = realTime.nowMs()
    const { status, stdout, stderr } = spawnSync(file, args, {
      cwd: directory,
      env,
      encoding: 'utf8',
      ...user,
    })
    const seconds = ((realTime.nowMs() - startedMs) / 1_000).toFixed(1)
    console.log(`${words.join(' ')}: exit code ${status}, ${seconds} s`)
    if (status !== 0 || !pattern.test(stdout))
      problems.push(`${words.join(' ')}: ${status}\n${stdout}${stderr}`)
  }
  use(commandOf(stage, 'CMD'), /Usage: plumbline/)
  use(['conform', 'reference', '--only', 'confirm.depth'], /^conforms/m)
  if (!existsSync(join(directory, 'reports/conform/report.html'))) problems.push('conform wrote no report')

  const [file = '', ...args] = entry
  const service = startProcess(file, [...args, 'serve'], { cwd: directory, env, ...user })
  const health = () => {
    const [program = '', ...rest] = commandIn(image, commandOf(stage, 'HEALTHCHECK'))
    return spawnSync(program, rest, { cwd: directory, env, ...user }).status
  }
  if (health() !== 1) problems.push('the health check passes before anything serves')
  await Promise.race([service.until((text) => text.includes('service at http')), service.ended])
  const status = health()
  console.log(`serve: the health check ends with ${status}`)
  if (status !== 0) problems.push(`the health check ends with ${status}; serve printed:\n${service.output()}`)
  // What `docker stop` sends, to the first process alone.
  service.signal('SIGTERM')
  console.log(`serve: ended with ${await service.ended} after SIGTERM`)
  if (readdirSync(temporary).length > 0) problems.push(`left ${readdirSync(temporary).join(', ')} in /tmp`)
} finally {
  forget()
  remove()
}
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1

/** Returns the sizes of all files of a folder together, in bytes. */
function sizeOf(path: string): number {
  const all = readdirSync(path, { recursive: true, withFileTypes: true })
  return all.reduce(
    (sum, each) => sum + (each.isFile() ? lstatSync(join(each.parentPath, each.name)).size : 0),
    0,
  )
}
