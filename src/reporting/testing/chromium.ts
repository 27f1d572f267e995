import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Where Debian and its relatives put the browser; CHROMIUM names another place. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'] as const

/** No window, no sandbox (containers have none to give), and no word to any network of its own accord. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
] as const

/** The path of a real Chromium on this machine; null where there is none. */
export function findChromium(): string | null {
  return [process.env.CHROMIUM, ...PLACES].find((path) => path !== undefined && existsSync(path)) ?? null
}

/** Starts it with a profile of its own, which is gone when it is closed. */
export function startChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: [...FLAGS] })
}
