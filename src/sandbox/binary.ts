import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inheritedVariables } from '../host/inheritedVariables.ts'
import { PlumblineError } from '../spec/errors.ts'

/** The Anvil binary for this machine is not installed. */
export class AnvilBinaryMissingError extends PlumblineError {
  override readonly name = 'AnvilBinaryMissingError'
  readonly platform: string
  readonly packageName: string | null
  constructor(platform: string, packageName: string | null, options?: { cause?: unknown }) {
    super(
      packageName === null
        ? `Anvil is not published for ${platform}`
        : `Anvil for ${platform} is not installed: the package ${packageName} is missing or has no binary`,
      packageName === null
        ? 'Use Linux, macOS, or Windows on x64.'
        : 'Run `npm ci` without `--omit=optional`; the binary comes inside that optional package.',
      options,
    )
    this.platform = platform
    this.packageName = packageName
  }
}

const PACKAGES: Readonly<Record<string, string>> = {
  'darwin-arm64': '@foundry-rs/anvil-darwin-arm64',
  'darwin-x64': '@foundry-rs/anvil-darwin-amd64',
  'linux-arm64': '@foundry-rs/anvil-linux-arm64',
  'linux-x64': '@foundry-rs/anvil-linux-amd64',
  'win32-x64': '@foundry-rs/anvil-win32-amd64',
}

/**
 * Returns the path of the Anvil binary in the installed platform package. The package's own launcher is not used, as it would
 * add a process between this one and Anvil.
 *
 * @param platform `${process.platform}-${process.arch}`
 * @throws {AnvilBinaryMissingError} there is no package for the platform, or it is not installed
 */
export function anvilBinaryPath(platform = `${process.platform}-${process.arch}`): string {
  const packageName = PACKAGES[platform]
  if (packageName === undefined) throw new AnvilBinaryMissingError(platform, null)
  // Optional platform packages are dependencies of @foundry-rs/anvil, so resolve from there: strict package
  // managers do not hoist them.
  const fromHere = createRequire(import.meta.url)
  try {
    const fromAnvil = createRequire(fromHere.resolve('@foundry-rs/anvil/package.json'))
    const file = platform.startsWith('win32') ? 'anvil.exe' : 'anvil'
    const path = fromAnvil.resolve(`${packageName}/bin/${file}`)
    if (existsSync(path)) return path
  } catch (cause) {
    throw new AnvilBinaryMissingError(platform, packageName, { cause })
  }
  throw new AnvilBinaryMissingError(platform, packageName)
}

/** Returns the version that the binary prints, such as `1.7.1`, which is equal on every platform. @throws {AnvilBinaryMissingError} */
export function anvilVersion(): string {
  const said = execFileSync(anvilBinaryPath(), ['--version'], { encoding: 'utf8', env: inheritedVariables() })
  return said.match(/^anvil Version: (\S+)/m)?.[1] ?? said.trim()
}
