import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Path of the browser on Debian and its derivatives; the variable CHROMIUM overrides it. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'] as const

/**
 * Chromium features to disable. Chromium renders the popup of the address bar, which no test sees, in a separate process for
 * each window, at half of the cost of a page. A later list replaces an earlier one, so this one repeats the entries of
 * Playwright's list that affect pages.
 */
const WITHOUT = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
] as const

/** Headless, without a sandbox (unavailable in containers) and without background network requests. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${WITHOUT.join()}`,
] as const

/** Returns the path of a Chromium on this machine; null when there is none. */
export function findChromium(): string | null {
  return [process.env.CHROMIUM, ...PLACES].find((path) => path !== undefined && existsSync(path)) ?? null
}

/** Starts Chromium with a temporary profile, which is deleted on close. */
export function startChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: [...FLAGS] })
}
