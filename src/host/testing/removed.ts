import { once } from 'node:events'
import { existsSync, watch } from 'node:fs'
import { dirname } from 'node:path'

/** Resolves once the path does not exist any more. */
export async function removed(path: string): Promise<void> {
  const watcher = watch(dirname(path))
  try {
    while (existsSync(path)) await once(watcher, 'change')
  } finally {
    watcher.close()
  }
}
