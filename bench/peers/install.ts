import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('./', import.meta.url))
/** npx fetches it where it is not there. Apple's package of this version has another name. */
const NODE = `node-${process.platform === 'darwin' && process.arch === 'arm64' ? 'bin-' : ''}${process.platform.replace('win32', 'win')}-${process.arch}@22.23.2`

/**
 * Installs the peers and the Node that they need, unless they are there as their lockfiles say.
 *
 * @returns the path of that Node.
 * @throws {Error} there is none for this platform, or npm failed.
 */
export function installPeers(): string {
  const onNode = (...words: readonly string[]) =>
    execFileSync('npx', ['--yes', '--package', NODE, '--', ...words], { cwd: FOLDER, encoding: 'utf8' })
  try {
    execFileSync('npm', ['ls'], { cwd: FOLDER, stdio: 'ignore' })
  } catch {
    console.error('installing the peers: about 55 MB, 300 MB unpacked')
    // npm leaves out a binary that asks for a later Node than its own: EDR's.
    onNode('npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error')
  }
  return onNode('node', '-p', 'process.execPath').trim()
}
