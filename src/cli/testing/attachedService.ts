import { PARTNER_KEYS } from '../../fixtures/partners.ts'
import { writeManifestFile } from '../../sandbox/manifestFile.ts'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import { type RunningService, readConfig, startService } from '../../service/main.ts'
import { type LineProxy, startLineProxy } from '../../targets/chain/lineProxy.ts'
import { drivenGenesisS } from '../../targets/chain/liveChain.ts'

/** The reference over HTTP on its own sandbox, as a target that is already running. */
export interface AttachedService {
  readonly url: string
  readonly sandbox: Sandbox
  /** Proxy between the service and its chain. */
  readonly line: LineProxy
  stop(): Promise<void>
}

/** Starts the service, and writes the manifest of its sandbox. */
export async function startAttachedService(manifestPath: string): Promise<AttachedService> {
  const sandbox = await startSandbox({ timestampS: drivenGenesisS() })
  let line: LineProxy | undefined
  let service: RunningService | undefined
  const stop = async () => {
    await service?.stop()
    await line?.stop()
    await sandbox.stop()
  }
  try {
    line = await startLineProxy(sandbox.manifest, { isReachable: true })
    const manifest = { ...sandbox.manifest, rpcUrl: line.url }
    await writeManifestFile(manifestPath, manifest)
    const config = readConfig({ PORT: '0', LOG_LEVEL: 'silent' })
    service = await startService(config, manifest, Object.values(PARTNER_KEYS))
    return { url: service.url, sandbox, line, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
