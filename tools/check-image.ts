/**
 * Builds the contents of the image without Docker, with the script of the Dockerfile, and uses them as a user would: `--help`,
 * some cases against the reference, and `serve` until its health check passes. As root it runs them as another user, like the
 * image.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../src/host/freePort.ts'
import { makeTemporaryFolder } from '../src/host/temporary.ts'
import { realTime } from '../src/targets/realTime.ts'
import { CONTEXT, commandOf, readContext, variablesOf } from './image/image.ts'
import { startProcess } from './runningProcess.ts'

/** The user `node` of the base image. */
const NODE_USER = 1_000

const { path: folder, remove } = makeTemporaryFolder('image')
const problems: string[] = []
try {
  chmodSync(folder, 0o755)
  const [root, directory] = [join(folder, 'image'), join(folder, 'image/home/node')]
  mkdirSync(directory, { recursive: true })
  const { included, excluded } = readContext()
  for (const path of included)
    cpSync(join(CONTEXT, path), join(folder, 'build', path), {
      recursive: true,
      filter: (each) => !excluded.some((name) => each === join(CONTEXT, name)),
    })
  // The checkout is already installed from the same lock file.
  symlinkSync(join(CONTEXT, 'node_modules'), join(folder, 'build/node_modules'))
  const startedMs = realTime.nowMs()
  execFileSync('sh', ['tools/image/install.sh', join(root, 'opt/plumbline')], {
    cwd: join(folder, 'build'),
    stdio: 'inherit',
  })
  const size = execFileSync('du', ['-sm', join(root, 'opt')], { encoding: 'utf8' }).split('\t', 1)[0]
  console.log(`the image adds ${size} MB; built in ${((realTime.nowMs() - startedMs) / 1_000).toFixed(1)} s`)
  if (existsSync(join(root, 'opt/plumbline/src/cli'))) problems.push('the image holds sources')
  const temporary = join(root, 'tmp')
  mkdirSync(temporary)
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? { uid: NODE_USER, gid: NODE_USER } : {}
  if (isRoot) for (const path of [directory, temporary]) chownSync(path, NODE_USER, NODE_USER)
  const env = {
    PATH: process.env.PATH,
    ...variablesOf(),
    HOME: directory,
    TMPDIR: temporary,
    PORT: `${await freePort()}`,
  }

  /** Returns a command of the image with its paths mapped to this folder. */
  const commandIn = (keyword: Parameters<typeof commandOf>[0]) =>
    commandOf(keyword).map((word) => (word.startsWith('/') ? join(root, word) : word))
  const entry = commandIn('ENTRYPOINT')
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
  use(commandOf('CMD'), /Usage: plumbline/)
  use(['conform', 'reference', '--only', 'confirm.depth'], /^conforms/m)
  if (!existsSync(join(directory, 'reports/conform/report.html'))) problems.push('conform wrote no report')

  const [file = '', ...args] = entry
  const service = startProcess(file, [...args, 'serve'], { cwd: directory, env, ...user })
  const health = () => {
    const [program = '', ...rest] = commandIn('HEALTHCHECK')
    return spawnSync(program, rest, { cwd: directory, env, ...user }).status
  }
  if (health() !== 1) problems.push('the health check passes before anything serves')
  await Promise.race([service.until((text) => text.includes('service at http')), service.ended])
  const status = health()
  console.log(`serve: the health check ends with ${status}`)
  if (status !== 0) problems.push(`the health check ends with ${status}; serve printed:\n${service.output()}`)
  // `docker stop` sends this to the first process only.
  service.signal('SIGTERM')
  console.log(`serve: ended with ${await service.ended} after SIGTERM`)
  if (readdirSync(temporary).length > 0) problems.push(`left ${readdirSync(temporary).join(', ')} in /tmp`)
} finally {
  remove()
}
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
